//===- CudaPeerMemoryTest.cpp - symmetric memory between processes --------===//
//
// The exporter starts this program again as the importer: a process that never
// shared a CUDA context. They talk over a socket that the importer inherits.
//
//===----------------------------------------------------------------------===//

#include "GpuFixture.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include <cstdlib>
#include <cstring>

using namespace tilewire;

namespace {

constexpr const char *socketVariable = "TILEWIRE_TEST_SOCKET";
constexpr const char *mechanismVariable = "TILEWIRE_TEST_MECHANISM";
constexpr int64_t numWords = 300001;
constexpr int64_t numBytes = numWords * int64_t(sizeof(unsigned));

unsigned wordOf(int writer, int64_t index) {
  return unsigned(index) * 2654435761u + unsigned(writer);
}

void write(Device &device, char *base, int writer) {
  std::vector<unsigned> words(numWords);
  for (int64_t i = 0; i < numWords; ++i)
    words[i] = wordOf(writer, i);
  device.copyToDevice(base, words.data(), numBytes);
}

bool holds(Device &device, const char *base, int writer) {
  std::vector<unsigned> words(numWords);
  device.copyToHost(words.data(), base, numBytes);
  for (int64_t i = 0; i < numWords; ++i)
    if (words[i] != wordOf(writer, i))
      return false;
  return true;
}

union Control {
  cmsghdr header;
  char space[CMSG_SPACE(sizeof(int))];
};

bool sendWith(int socket, std::string payload, std::optional<int> descriptor) {
  iovec part{payload.data(), payload.size()};
  Control control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor) {
    message.msg_control = control.space;
    message.msg_controllen = sizeof(control.space);
    control.header.cmsg_len = CMSG_LEN(sizeof(int));
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    std::memcpy(CMSG_DATA(&control.header), &*descriptor, sizeof(int));
  }
  return ::sendmsg(socket, &message, 0) == ssize_t(payload.size());
}

std::string receive(int socket, std::optional<FileDescriptor> &descriptor) {
  std::string payload(4096, '\0');
  iovec part{payload.data(), payload.size()};
  Control control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.space;
  message.msg_controllen = sizeof(control.space);
  const ssize_t length = ::recvmsg(socket, &message, 0);
  REQUIRE(length > 0);
  payload.resize(size_t(length));
  if (cmsghdr *header = CMSG_FIRSTHDR(&message)) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(header), sizeof(int));
    descriptor.emplace(fd);
  }
  return payload;
}

void boundWaits(int socket) {
  const timeval limit{60, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
}

pid_t startImporter(int socket, PeerMemory mechanism) {
  const pid_t child = ::fork();
  if (child != 0)
    return child;
  ::setenv(socketVariable, std::to_string(socket).c_str(), 1);
  ::setenv(mechanismVariable, std::to_string(int(mechanism)).c_str(), 1);
  ::execl("/proc/self/exe", "tilewire-unit-tests", "[.peer-importer]",
          static_cast<char *>(nullptr));
  ::_exit(127);
}

} // namespace

TEST_CASE("importer of the test below", "[.peer-importer]") {
  const char *socketText = std::getenv(socketVariable);
  REQUIRE(socketText);
  const FileDescriptor socket(std::atoi(socketText));
  boundWaits(socket.get());
  auto device = openCudaDevice(0);
  const auto mechanism = PeerMemory(std::atoi(std::getenv(mechanismVariable)));
  auto region = device->reserve(numBytes, mechanism, /*loopback=*/false);
  std::optional<FileDescriptor> descriptor;
  const std::string payload = receive(socket.get(), descriptor);
  char *peer = region->importPeer(0, payload, std::move(descriptor));
  CHECK(holds(*device, peer, 0));
  write(*device, peer, 1);
  REQUIRE(sendWith(socket.get(), "written", std::nullopt));
}

TEST_CASE("a region exported to another process holds what either writes",
          "[cuda][gpu]") {
  auto device = openGpuOrSkip();
  if (!device)
    return;
  const auto mechanism =
      GENERATE(PeerMemory::FileDescriptor, PeerMemory::CudaIpc);
  INFO("mechanism " << int(mechanism));
  int sockets[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) == 0);
  FileDescriptor here(sockets[0]);
  FileDescriptor there(sockets[1]);
  boundWaits(here.get());
  auto region = device->reserve(numBytes, mechanism, /*loopback=*/false);
  write(*device, region->base(), 0);
  const pid_t child = startImporter(there.get(), mechanism);
  REQUIRE(child > 0);
  there = FileDescriptor();
  CHECK(sendWith(here.get(), region->exportPayload(),
                 region->exportDescriptor()));
  std::optional<FileDescriptor> none;
  CHECK(receive(here.get(), none) == "written");
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(holds(*device, region->base(), 1));
}

TEST_CASE("a region says what it cannot import and from whom", "[cuda][gpu]") {
  auto device = openGpuOrSkip();
  if (!device)
    return;
  auto region = device->reserve(numBytes, PeerMemory::FileDescriptor, false);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const FileDescriptor other(ends[1]);
  CHECK_THROWS_WITH(
      region->importPeer(3, region->exportPayload(), FileDescriptor(ends[0])),
      Catch::Contains("rank 3") &&
          Catch::Contains("cuMemImportFromShareableHandle"));
  CHECK_THROWS_WITH(region->importPeer(3, "short", std::nullopt),
                    Catch::Contains("got 5"));
}
