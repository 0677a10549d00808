//===- KernelCache.h - compiled kernels kept on disk ----------------------===//
//
// Images by the full text of what they were compiled from. An entry is
// published whole or not at all, and verified when read; a cache that can't be
// read or written is only slower. Used by Kernel; knows no compiler.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_KERNELCACHE_H
#define TILEWIRE_RUNTIME_KERNELCACHE_H

#include <filesystem>
#include <optional>
#include <string>

namespace tilewire {

class KernelCache {
public:
  /// Keeps entries in `directory`, made when first needed; none: no cache.
  explicit KernelCache(std::optional<std::filesystem::path> directory)
      : directory(std::move(directory)) {}

  /// TILEWIRE_CACHE_DIR (empty: no cache), else $XDG_CACHE_HOME/tilewire, else
  /// ~/.cache/tilewire.
  static KernelCache fromEnvironment();

  /// The image stored under `key`, if a sound one is there.
  std::optional<std::string> find(const std::string &key) const;

  /// Stores `image`, or quietly does not.
  void store(const std::string &key, const std::string &image) const;

private:
  std::filesystem::path pathOf(const std::string &key) const;

  std::optional<std::filesystem::path> directory;
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_KERNELCACHE_H
