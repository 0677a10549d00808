//===- DescriptorRegion.cpp - GPU memory shared by file descriptor --------===//

#include "runtime/cuda/PeerRegions.h"

#include <map>
#include <mutex>

namespace tilewire {
namespace {

/// Physical memory: its pages live until the last mapping is gone too.
class Allocation {
public:
  explicit Allocation(CUmemGenericAllocationHandle handle) : handle(handle) {}
  ~Allocation() { driver().cuMemRelease.orReport(handle); }
  Allocation(const Allocation &) = delete;
  Allocation &operator=(const Allocation &) = delete;
  CUmemGenericAllocationHandle get() const { return handle; }

private:
  CUmemGenericAllocationHandle handle;
};

class AddressRange {
public:
  explicit AddressRange(size_t bytes) : numBytes(bytes) {
    driver().cuMemAddressReserve(&first, bytes, 0, 0, 0);
  }
  ~AddressRange() { driver().cuMemAddressFree.orReport(first, numBytes); }
  AddressRange(const AddressRange &) = delete;
  AddressRange &operator=(const AddressRange &) = delete;
  CUdeviceptr begin() const { return first; }
  size_t bytes() const { return numBytes; }

private:
  CUdeviceptr first = 0;
  size_t numBytes;
};

bool canReach(CUdevice from, CUdevice to) {
  int reachable = from == to;
  if (!reachable)
    driver().cuDeviceCanAccessPeer(&reachable, from, to);
  return reachable != 0;
}

/// The devices of this process that can reach the memory of `device`.
std::vector<CUdevice> devicesThatReach(CUdevice device) {
  std::vector<CUdevice> reaching;
  int count = 0;
  driver().cuDeviceGetCount(&count);
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    CUdevice other = 0;
    driver().cuDeviceGet(&other, ordinal);
    if (canReach(other, device))
      reaching.push_back(other);
  }
  return reaching;
}

/// An allocation at an address range of its own.
class Mapping {
public:
  Mapping(const Allocation &allocation, size_t bytes) : range(bytes) {
    driver().cuMemMap(range.begin(), bytes, 0, allocation.get(), 0);
  }
  ~Mapping() { driver().cuMemUnmap.orReport(range.begin(), range.bytes()); }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  /// Lets kernels of `devices` read and write. Once for each mapping: a change
  /// of access faults whoever uses the memory meanwhile.
  void allowAccessFrom(const std::vector<CUdevice> &devices) {
    std::vector<CUmemAccessDesc> accesses;
    for (CUdevice device : devices) {
      CUmemAccessDesc access{};
      access.location = {CU_MEM_LOCATION_TYPE_DEVICE, {device}};
      access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
      accesses.push_back(access);
    }
    driver().cuMemSetAccess(range.begin(), range.bytes(), accesses.data(),
                            accesses.size());
  }
  char *base() const { return reinterpret_cast<char *>(range.begin()); }

private:
  AddressRange range;
};

/// The mappings of ranks that are threads of this process, by address. Who uses
/// a peer's keeps it mapped: a kernel of one rank may still store to another
/// whose error has led it out already.
class SharedMappings {
public:
  void add(const std::shared_ptr<Mapping> &mapping) {
    std::lock_guard lock(mutex);
    std::erase_if(all,
                  [](const auto &entry) { return entry.second.expired(); });
    all[mapping->base()] = mapping;
  }
  /// Null when its rank is gone and nobody else uses it.
  std::shared_ptr<Mapping> at(const char *base) {
    std::lock_guard lock(mutex);
    const auto found = all.find(base);
    return found == all.end() ? nullptr : found->second.lock();
  }

private:
  std::mutex mutex;
  std::map<const char *, std::weak_ptr<Mapping>> all;
};

SharedMappings &sharedMappings() {
  static SharedMappings mappings;
  return mappings;
}

CUmemAllocationProp shareableOn(CUdevice device) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {device}};
  return properties;
}

/// `bytes` rounded up to what the device hands out.
size_t roundUp(int64_t bytes, const CUmemAllocationProp &properties) {
  size_t granularity = 0;
  driver().cuMemGetAllocationGranularity(&granularity, &properties,
                                         CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
  return (size_t(bytes) + granularity - 1) / granularity * granularity;
}

struct Exported {
  uint64_t address; ///< for ranks of the same process
  uint64_t bytes;
  CUdevice device; ///< likewise
};

class DescriptorRegion final : public PeerRegion {
public:
  DescriptorRegion(SharedContext context, size_t bytes, bool loopback,
                   const Allocation &allocation)
      : context(std::move(context)), loopback(loopback), bytes(bytes),
        own(std::make_shared<Mapping>(allocation, bytes)) {
    const CUdevice device = this->context->device();
    if (loopback) {
      // All ranks of this process use this one mapping.
      own->allowAccessFrom(devicesThatReach(device));
      sharedMappings().add(own);
      return;
    }
    own->allowAccessFrom({device});
    int fd = -1;
    driver().cuMemExportToShareableHandle(
        &fd, allocation.get(), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    descriptor = FileDescriptor(fd);
  }

  char *base() override { return own->base(); }

  std::string exportPayload() override {
    const Exported exported{reinterpret_cast<uint64_t>(own->base()), bytes,
                            context->device()};
    return {reinterpret_cast<const char *>(&exported), sizeof(exported)};
  }

  std::optional<int> exportDescriptor() override {
    return loopback ? std::nullopt : std::optional(descriptor.get());
  }

  char *importPeer(int peer, const std::string &payload,
                   std::optional<FileDescriptor> imported) override {
    const Exported exported = readExported<Exported>(payload);
    return importFrom(peer, [&] {
      if (!loopback)
        return mapDescriptor(imported.value(), exported.bytes);
      if (!canReach(context->device(), exported.device))
        throw MachineError("cuDeviceCanAccessPeer: this GPU can't reach that "
                           "one's memory");
      std::shared_ptr<Mapping> mapping =
          sharedMappings().at(reinterpret_cast<char *>(exported.address));
      if (!mapping)
        throw MachineError("expected the peer's memory to be mapped, it is "
                           "gone already");
      peers.push_back(std::move(mapping));
      return peers.back()->base();
    });
  }

  std::string mechanism() const override {
    return loopback ? "same process" : "file descriptor";
  }

private:
  char *mapDescriptor(const FileDescriptor &imported, size_t peerBytes) {
    CUmemGenericAllocationHandle handle = 0;
    driver().cuMemImportFromShareableHandle(
        &handle, reinterpret_cast<void *>(intptr_t(imported.get())),
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    const Allocation allocation(handle);
    auto mapping = std::make_shared<Mapping>(allocation, peerBytes);
    mapping->allowAccessFrom({context->device()});
    peers.push_back(std::move(mapping));
    return peers.back()->base();
  }

  // In this order, so that what was imported is unmapped first.
  SharedContext context;
  bool loopback;
  size_t bytes;
  std::shared_ptr<Mapping> own;
  FileDescriptor descriptor;
  std::vector<std::shared_ptr<Mapping>> peers;
};

} // namespace

std::unique_ptr<PeerRegion> reserveByDescriptor(SharedContext context,
                                                int64_t bytes, bool loopback) {
  if (!context->attribute(
          CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED))
    throw MachineError("this GPU's driver can't share memory by file "
                       "descriptor "
                       "(HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED is 0)");
  const CUmemAllocationProp properties = shareableOn(context->device());
  const size_t rounded = roundUp(bytes, properties);
  requireFreeMemory(int64_t(rounded));
  CUmemGenericAllocationHandle handle = 0;
  driver().cuMemCreate(&handle, rounded, &properties, 0);
  const Allocation allocation(handle);
  return std::make_unique<DescriptorRegion>(std::move(context), rounded,
                                            loopback, allocation);
}

} // namespace tilewire
