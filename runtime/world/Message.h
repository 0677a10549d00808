//===- Message.h - what ranks and hub say to each other -------------------===//
//
// Frames on a socket: a kind, a body, and descriptors. Used by Hub and
// Channel; both ends are of one build on one machine, so numbers travel as
// they lie in memory.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_WORLD_MESSAGE_H
#define TILEWIRE_RUNTIME_WORLD_MESSAGE_H

#include "runtime/FileDescriptor.h"
#include "runtime/world/Failure.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewire {

enum class MessageKind : uint32_t {
  Hello,    ///< rank to hub: rank, size, timeout, process; counts as the first
            ///< step
  Step,     ///< rank to hub: what, timeout, payload, perhaps a descriptor
  Result,   ///< hub to rank: every rank's payload and descriptor
  GivingUp, ///< hub to rank: one that closes because of an error, and waits for
            ///< this one to close too
  Broken,   ///< either way: the world is broken, kind and message of the error
  Goodbye,  ///< rank to hub: the connection now closes on purpose
};

struct Message {
  MessageKind kind;
  std::string body;
  std::vector<FileDescriptor> descriptors;
};

/// Sends one frame; descriptors are borrowed. Throws MachineError.
void sendMessage(int socket, MessageKind kind, std::string_view body,
                 const std::vector<int> &descriptors = {});

/// Receives one frame; nothing when the peer is gone or, with a limit on
/// receiving, when none came in time. Throws MachineError on a bad frame.
std::optional<Message> receiveMessage(int socket);

/// Packs numbers, texts and failures into a body or a payload.
class Packer {
public:
  Packer &number(int64_t value);
  Packer &text(std::string_view value);
  Packer &failure(const Failure &value);
  std::string take() { return std::move(bytes); }

private:
  std::string bytes;
};

/// Reads what Packer packed, in the same order; InternalError past the end.
class Unpacker {
public:
  explicit Unpacker(std::string_view bytes) : rest(bytes) {}
  int64_t number();
  std::string text();
  Failure failure();

private:
  std::string_view rest;
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_WORLD_MESSAGE_H
