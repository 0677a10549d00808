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
#include <cstdio>
#include <fcntl.h>
#include <linux/magic.h>
#include <string>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace tilewire {

/// A copy of standard output or standard error, if that is what `status` is of:
/// a file opened once more would overwrite what is printed there.
inline FileDescriptor copyOfStandardFile(const struct stat &status) {
  for (int standard : {STDOUT_FILENO, STDERR_FILENO})
    if (struct stat own{}; ::fstat(standard, &own) == 0 &&
                           own.st_dev == status.st_dev &&
                           own.st_ino == status.st_ino)
      return FileDescriptor(::fcntl(standard, F_DUPFD_CLOEXEC, 0));
  return {};
}

/// Opens `file`, made where there is none, with `flags`. UserError with the
/// reason when it can't be written. A named pipe is none: opening it waits for
/// a reader, and closing it ends one. A pipe under a name of /dev/fd is.
inline FileDescriptor openJsonFile(const std::string &file, int flags) {
  const std::string expected =
      "expected --json to name a file that can be written, got '" + file + "'";
  struct stat status {};
  struct statfs system {};
  if (::stat(file.c_str(), &status) == 0) {
    if (S_ISFIFO(status.st_mode) && ::statfs(file.c_str(), &system) == 0 &&
        system.f_type != PIPEFS_MAGIC)
      throw UserError(expected + ", a named pipe");
    if (FileDescriptor standard = copyOfStandardFile(status))
      return standard;
  }
  FileDescriptor out(
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666));
  if (!out)
    throw UserError(describeSystemError(expected, errno));
  return out;
}

/// Refuses a file that can't be written, and leaves what is in it.
inline void checkJsonFile(const std::string &file) { openJsonFile(file, 0); }

/// Replaces what is in `file`; adds to what is printed where it is standard
/// output or error. MachineError when the system can't write it.
inline void writeJsonFile(const std::string &file,
                          const nlohmann::ordered_json &json) {
  std::fflush(stdout);
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
