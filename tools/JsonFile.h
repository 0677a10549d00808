//===- JsonFile.h - the file that --json names ----------------------------===//
//
// Refused before the work when it can't take the figures, written after it. For
// tools and examples with that option; knows nothing of what is in it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TOOLS_JSONFILE_H
#define TILEWIRE_TOOLS_JSONFILE_H

#include "runtime/FileDescriptor.h"
#include "runtime/SystemCall.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fcntl.h>
#include <linux/magic.h>
#include <string>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace tilewire {

/// Opens `file`, made where there is none, with `flags`. UserError with the
/// reason when it can't be written. A named pipe is none: opening it waits for
/// a reader, and closing it ends one. A pipe under a name of /dev/fd is.
inline FileDescriptor openJsonFile(const std::string &file, int flags) {
  const std::string expected =
      "expected --json to name a file that can be written, got '" + file + "'";
  struct stat status {};
  struct statfs system {};
  if (::stat(file.c_str(), &status) == 0 && S_ISFIFO(status.st_mode) &&
      ::statfs(file.c_str(), &system) == 0 && system.f_type != PIPEFS_MAGIC)
    throw UserError(expected + ", a named pipe");
  FileDescriptor out(
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666));
  if (!out)
    throw UserError(describeSystemError(expected, errno));
  return out;
}

/// Refuses a file that can't be written, and leaves what is in it.
inline void checkJsonFile(const std::string &file) { openJsonFile(file, 0); }

/// Replaces what is in `file`. MachineError when the system can't write it.
inline void writeJsonFile(const std::string &file,
                          const nlohmann::ordered_json &json) {
  const FileDescriptor out = openJsonFile(file, O_TRUNC);
  const std::string text = json.dump(2) + "\n";
  for (size_t done = 0; done < text.size();) {
    const ssize_t written =
        ::write(out.get(), text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR)
      throwSystemError("can't write to '" + file + "'");
    done += size_t(std::max<ssize_t>(written, 0));
  }
}

} // namespace tilewire

#endif // TILEWIRE_TOOLS_JSONFILE_H
