//===- KernelCache.cpp - compiled kernels kept on disk --------------------===//

#include "runtime/KernelCache.h"

#include "runtime/Digest.h"
#include "runtime/FileDescriptor.h"
#include "runtime/FileSizeSignal.h"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace tilewire {
namespace {

/// An entry is this header, the key and the image.
struct EntryHeader {
  char magic[8];
  uint64_t keyBytes;
  uint64_t imageBytes;
  uint64_t checksum; ///< of key and image
};

constexpr char magic[8] = {'t', 'w', 'k', 'e', 'r', 'n', '1', '\n'};

std::string makeEntry(const std::string &key, const std::string &image) {
  EntryHeader header{{}, key.size(), image.size(), checksum(key + image)};
  std::memcpy(header.magic, magic, sizeof(magic));
  return std::string(reinterpret_cast<const char *>(&header), sizeof(header)) +
         key + image;
}

/// The image of a sound entry for `key`, in a file of `fileBytes`. Whatever
/// lies there instead is not read beyond the header that it should have.
std::optional<std::string> readEntry(std::istream &file, uint64_t fileBytes,
                                     const std::string &key) {
  EntryHeader header;
  if (!file.read(reinterpret_cast<char *>(&header), sizeof(header)) ||
      std::memcmp(header.magic, magic, sizeof(magic)) != 0 ||
      header.keyBytes != key.size() ||
      fileBytes < sizeof(header) + key.size() ||
      header.imageBytes != fileBytes - sizeof(header) - key.size())
    return std::nullopt;
  std::string found(key.size(), '\0');
  if (!file.read(found.data(), std::streamsize(found.size())) || found != key)
    return std::nullopt;
  std::string image(header.imageBytes, '\0');
  if (!file.read(image.data(), std::streamsize(image.size())) ||
      checksum(key + image) != header.checksum)
    return std::nullopt;
  return image;
}

bool writeAll(const FileDescriptor &file, const std::string &bytes) {
  const FileSizeSignalHeld held;
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written =
        ::write(file.get(), bytes.data() + done, bytes.size() - done);
    if (written <= 0)
      return false;
    done += size_t(written);
  }
  return true;
}

/// The folder that a variable names, unless it would depend on the current one.
std::optional<std::filesystem::path> absoluteFolder(const char *variable) {
  const char *value = std::getenv(variable);
  if (!value || !std::filesystem::path(value).is_absolute())
    return std::nullopt;
  return value;
}

} // namespace

KernelCache KernelCache::fromEnvironment() {
  using std::filesystem::path;
  // $TILEWIRE_CACHE_DIR: folder in which compiled kernels are kept, made when
  // first needed, below the current folder unless it starts with `/`; set but
  // empty, none are kept. Any number of processes may share it, and it may be
  // deleted at any time.
  if (const char *directory = std::getenv("TILEWIRE_CACHE_DIR")) {
    if (!*directory)
      return KernelCache(std::nullopt);
    return KernelCache(path(directory));
  }
  // $XDG_CACHE_HOME, $HOME: without `TILEWIRE_CACHE_DIR` kernels are kept in
  // `$XDG_CACHE_HOME/tilewire` or else `$HOME/.cache/tilewire`; with none of
  // the three set, nowhere. One of these two that does not start with `/` is as
  // good as not set, as the XDG base directory specification has it.
  if (const auto cacheHome = absoluteFolder("XDG_CACHE_HOME"))
    return KernelCache(*cacheHome / "tilewire");
  if (const auto home = absoluteFolder("HOME"))
    return KernelCache(*home / ".cache" / "tilewire");
  return KernelCache(std::nullopt);
}

std::filesystem::path KernelCache::pathOf(const std::string &key) const {
  return *directory / (digest(key) + ".kernel");
}

std::optional<std::string> KernelCache::find(const std::string &key) const {
  if (!directory)
    return std::nullopt;
  // A folder opens too and fails at the first byte; a pipe never ends.
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(pathOf(key), ignored))
    return std::nullopt;
  const uintmax_t bytes = std::filesystem::file_size(pathOf(key), ignored);
  std::ifstream file(pathOf(key), std::ios::binary);
  if (!file || ignored)
    return std::nullopt;
  return readEntry(file, bytes, key);
}

void KernelCache::store(const std::string &key,
                        const std::string &image) const {
  if (!directory)
    return;
  std::error_code ignored; // without its directory, opening fails below
  std::filesystem::create_directories(*directory, ignored);
  std::string temporary = (*directory / "entry-XXXXXX").string();
  const FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file)
    return;
  // A rename publishes the entry whole; readers never see a part of it.
  if (!writeAll(file, makeEntry(key, image)) ||
      ::rename(temporary.c_str(), pathOf(key).c_str()) != 0)
    ::unlink(temporary.c_str());
}

} // namespace tilewire
