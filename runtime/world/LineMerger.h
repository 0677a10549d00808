//===- LineMerger.h - the output of many ranks as one stream --------------===//
//
// Reads the ranks' pipes and writes whole lines, each prefixed by its rank, so
// that lines of several ranks never mix. A line of more than 65,536 bytes is
// written as several. Used by launchRanks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_WORLD_LINEMERGER_H
#define TILEWIRE_RUNTIME_WORLD_LINEMERGER_H

#include "runtime/FileDescriptor.h"

#include <chrono>
#include <list>
#include <string>

namespace tilewire {

class LineMerger {
public:
  /// A pipe whose lines go to `target` (borrowed) after `prefix`; returns the
  /// end to write to.
  FileDescriptor addSource(std::string prefix, int target);

  /// Whether every pipe has ended.
  bool isEmpty() const { return sources.empty(); }

  /// Waits up to `time` for output and passes on what is there.
  void passOn(std::chrono::milliseconds time);

  /// Passes on all that is left in the pipes, the last line's end missing or
  /// not, without waiting for writers that still hold them.
  void finish();

  /// MachineError naming the stream when output was lost because it could not
  /// be written.
  void checkWritten() const;

private:
  struct Source {
    std::string prefix;
    int target;
    FileDescriptor pipe;
    std::string line; ///< begun, not yet ended
  };

  bool readFrom(Source &source);
  void write(int target, const std::string &text);

  std::list<Source> sources;
  std::string lost; ///< why output could not be written, once it could not
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_WORLD_LINEMERGER_H
