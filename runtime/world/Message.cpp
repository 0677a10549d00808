//===- Message.cpp - what ranks and hub say to each other -----------------===//

#include "runtime/world/Message.h"

#include "runtime/SystemCall.h"

#include <tilewire/Partition.h>

#include <cstring>
#include <sys/socket.h>

namespace tilewire {
namespace {

struct Header {
  uint32_t kind;
  uint32_t numDescriptors;
  uint64_t bytes;
};

// One descriptor per rank at most; far below the kernel's own limit of 253.
constexpr size_t controlBytes = CMSG_SPACE(sizeof(int) * maxRanks);

// Larger than any kernel image; a longer frame is garbage.
constexpr uint64_t maxBodyBytes = uint64_t(1) << 32;

void sendAll(int socket, const char *data, size_t bytes) {
  while (bytes > 0) {
    const ssize_t sent = ::send(socket, data, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent < 0)
      throwSystemError("send");
    data += sent;
    bytes -= size_t(sent);
  }
}

/// False when the peer is gone or nothing came in time.
bool receiveAll(int socket, char *data, size_t bytes) {
  while (bytes > 0) {
    const ssize_t received = ::recv(socket, data, bytes, 0);
    if (received < 0 && errno == EINTR)
      continue;
    if (received <= 0)
      return false;
    data += received;
    bytes -= size_t(received);
  }
  return true;
}

std::vector<FileDescriptor> takeDescriptors(msghdr &message) {
  std::vector<FileDescriptor> descriptors;
  for (cmsghdr *control = CMSG_FIRSTHDR(&message); control;
       control = CMSG_NXTHDR(&message, control)) {
    if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS)
      continue;
    const size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(control) + i * sizeof(int), sizeof(int));
      descriptors.emplace_back(fd);
    }
  }
  return descriptors;
}

} // namespace

void sendMessage(int socket, MessageKind kind, std::string_view body,
                 const std::vector<int> &descriptors) {
  if (descriptors.size() > maxRanks)
    throw InternalError("expected at most " + std::to_string(maxRanks) +
                        " descriptors in a message, got " +
                        std::to_string(descriptors.size()));
  Header header{uint32_t(kind), uint32_t(descriptors.size()), body.size()};
  iovec part{&header, sizeof(header)};
  alignas(cmsghdr) char control[controlBytes] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors.size());
    cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int) * descriptors.size());
    std::memcpy(CMSG_DATA(rights), descriptors.data(),
                sizeof(int) * descriptors.size());
  }
  ssize_t sent;
  do
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  if (sent < 0)
    throwSystemError("sendmsg");
  sendAll(socket, reinterpret_cast<char *>(&header) + sent,
          sizeof(header) - size_t(sent));
  sendAll(socket, body.data(), body.size());
}

std::optional<Message> receiveMessage(int socket) {
  Header header{};
  iovec part{&header, sizeof(header)};
  alignas(cmsghdr) char control[controlBytes];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  ssize_t received;
  do
    received = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  if (received <= 0)
    return std::nullopt;
  Message result;
  result.descriptors = takeDescriptors(message);
  if (!receiveAll(socket, reinterpret_cast<char *>(&header) + received,
                  sizeof(header) - size_t(received)))
    return std::nullopt;
  if (header.bytes > maxBodyBytes ||
      header.kind > uint32_t(MessageKind::Goodbye))
    throw MachineError("expected a message of the rendezvous, got garbage");
  if (result.descriptors.size() != header.numDescriptors)
    // The kernel drops those that this process can't hold, without a code.
    throwSystemError("recvmsg of " + std::to_string(header.numDescriptors) +
                         " file descriptors",
                     EMFILE);
  result.kind = MessageKind(header.kind);
  result.body.resize(header.bytes);
  if (!receiveAll(socket, result.body.data(), result.body.size()))
    return std::nullopt;
  return result;
}

Packer &Packer::number(int64_t value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
  return *this;
}

Packer &Packer::text(std::string_view value) {
  number(int64_t(value.size()));
  bytes.append(value);
  return *this;
}

Packer &Packer::failure(const Failure &value) {
  return number(int(value.kind)).text(value.message);
}

int64_t Unpacker::number() {
  int64_t value;
  if (rest.size() < sizeof(value))
    throw InternalError("a message of the rendezvous ends too early");
  std::memcpy(&value, rest.data(), sizeof(value));
  rest.remove_prefix(sizeof(value));
  return value;
}

std::string Unpacker::text() {
  const int64_t size = number();
  if (size < 0 || uint64_t(size) > rest.size())
    throw InternalError("a message of the rendezvous ends too early");
  std::string value(rest.substr(0, size_t(size)));
  rest.remove_prefix(size_t(size));
  return value;
}

Failure Unpacker::failure() {
  const ErrorKind kind = ErrorKind(number());
  return {kind, text()};
}

} // namespace tilewire
