//===- DescriptorRegion.cpp - GPU memory shared by file descriptor --------===//

#include "runtime/cuda/PeerRegions.h"

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

/// Lets kernels of `device` read and write mapped memory.
void allowAccess(CUdevice device, CUdeviceptr address, size_t bytes) {
  CUmemAccessDesc access{};
  access.location = {CU_MEM_LOCATION_TYPE_DEVICE, {device}};
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  driver().cuMemSetAccess(address, bytes, &access, 1);
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

  void allowAccessFrom(CUdevice device) {
    allowAccess(device, range.begin(), range.bytes());
  }
  char *base() const { return reinterpret_cast<char *>(range.begin()); }

private:
  AddressRange range;
};

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
};

class DescriptorRegion final : public PeerRegion {
public:
  DescriptorRegion(SharedContext context, size_t bytes, bool loopback,
                   const Allocation &allocation)
      : context(std::move(context)), loopback(loopback), bytes(bytes),
        own(allocation, bytes) {
    own.allowAccessFrom(this->context->device());
    if (loopback)
      return;
    int fd = -1;
    driver().cuMemExportToShareableHandle(
        &fd, allocation.get(), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    descriptor = FileDescriptor(fd);
  }

  char *base() override { return own.base(); }

  std::string exportPayload() override {
    const Exported exported{reinterpret_cast<uint64_t>(own.base()), bytes};
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
      allowAccess(context->device(), exported.address, exported.bytes);
      return reinterpret_cast<char *>(exported.address);
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
    auto mapping = std::make_unique<Mapping>(allocation, peerBytes);
    mapping->allowAccessFrom(context->device());
    peers.push_back(std::move(mapping));
    return peers.back()->base();
  }

  // In this order, so that what was imported is unmapped first.
  SharedContext context;
  bool loopback;
  size_t bytes;
  Mapping own;
  FileDescriptor descriptor;
  std::vector<std::unique_ptr<Mapping>> peers;
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
