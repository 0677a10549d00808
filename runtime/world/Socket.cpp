//===- Socket.cpp - local sockets that leave nothing behind ---------------===//

#include "runtime/world/Socket.h"

#include "runtime/SystemCall.h"

#include <cstddef>
#include <cstring>
#include <random>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

namespace tilewire {
namespace {

struct Address {
  sockaddr_un value{};
  socklen_t length = 0;
};

Address abstractAddress(const std::string &name) {
  Address address;
  address.value.sun_family = AF_UNIX;
  // A leading zero byte makes the name abstract.
  if (name.empty() || name.size() + 1 > sizeof(address.value.sun_path))
    throw UserError("expected a rendezvous name of 1 to " +
                    std::to_string(sizeof(address.value.sun_path) - 1) +
                    " bytes, got '" + name + "'");
  std::memcpy(address.value.sun_path + 1, name.data(), name.size());
  address.length = socklen_t(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

FileDescriptor makeSocket(int flags) {
  FileDescriptor socket(
      ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
  if (!socket)
    throwSystemError("socket");
  return socket;
}

bool isOwnUser(const FileDescriptor &socket) {
  ucred peer{};
  socklen_t length = sizeof(peer);
  return ::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &length) ==
             0 &&
         peer.uid == ::geteuid();
}

void limit(const FileDescriptor &socket, int option,
           std::chrono::milliseconds time) {
  timeval value{};
  value.tv_sec = time.count() / 1000;
  value.tv_usec = time.count() % 1000 * 1000;
  if (::setsockopt(socket.get(), SOL_SOCKET, option, &value, sizeof(value)))
    throwSystemError("setsockopt");
}

} // namespace

std::string uniqueSocketName() {
  std::random_device random;
  std::string name = "tilewire-";
  for (int i = 0; i < 32; ++i)
    name += "0123456789abcdef"[random() & 0xf];
  return name;
}

FileDescriptor listenOn(const std::string &name) {
  const Address address = abstractAddress(name);
  FileDescriptor socket = makeSocket(SOCK_NONBLOCK);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr *>(&address.value),
             address.length))
    throwSystemError("bind rendezvous '" + name + "'");
  if (::listen(socket.get(), SOMAXCONN))
    throwSystemError("listen");
  return socket;
}

FileDescriptor acceptFrom(const FileDescriptor &listener) {
  FileDescriptor socket(
      ::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!socket && (errno == EMFILE || errno == ENFILE))
    throwSystemError("accept4");
  if (socket && isOwnUser(socket))
    return socket;
  return {};
}

FileDescriptor connectTo(const std::string &name) {
  const Address address = abstractAddress(name);
  FileDescriptor socket = makeSocket(0);
  if (::connect(socket.get(),
                reinterpret_cast<const sockaddr *>(&address.value),
                address.length)) {
    if (errno == ECONNREFUSED || errno == EINTR || errno == EAGAIN)
      return {};
    throwSystemError("connect to rendezvous '" + name + "'");
  }
  if (!isOwnUser(socket))
    throw MachineError("expected rendezvous '" + name +
                       "' to belong to this user, got another user's");
  return socket;
}

void limitSending(const FileDescriptor &socket,
                  std::chrono::milliseconds time) {
  limit(socket, SO_SNDTIMEO, time);
}

void limitReceiving(const FileDescriptor &socket,
                    std::chrono::milliseconds time) {
  limit(socket, SO_RCVTIMEO, time);
}

} // namespace tilewire
