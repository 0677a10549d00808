//===- Socket.h - local sockets that leave nothing behind -----------------===//
//
// Unix sockets with abstract names: nothing in the file system, gone with
// their last process. Peers of another user are turned away. Used by Hub and
// Channel; knows nothing of ranks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_WORLD_SOCKET_H
#define TILEWIRE_RUNTIME_WORLD_SOCKET_H

#include "runtime/FileDescriptor.h"

#include <chrono>
#include <string>

namespace tilewire {

/// A name that no other job has.
std::string uniqueSocketName();

/// A listening socket. MachineError when the name is taken.
FileDescriptor listenOn(const std::string &name);

/// The next connection by a process of this user; empty when there is none.
/// MachineError when this process can't hold another.
FileDescriptor acceptFrom(const FileDescriptor &listener);

/// Connects to `name`; empty when nobody listens there yet. MachineError when
/// another user does.
FileDescriptor connectTo(const std::string &name);

/// Limits how long one send or receive may block; zero for no limit.
void limitSending(const FileDescriptor &socket, std::chrono::milliseconds time);
void limitReceiving(const FileDescriptor &socket,
                    std::chrono::milliseconds time);

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_WORLD_SOCKET_H
