//===- KernelCacheTest.cpp - compiled kernels kept on disk ----------------===//

#include "runtime/KernelCache.h"
#include "ScopedVariable.h"
#include "runtime/Digest.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

using tilewire::KernelCache;
using tilewire::test::ScopedVariable;
using tilewire::test::WithoutVariable;
namespace fs = std::filesystem;

namespace {

/// A directory that goes with the test.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string pattern = (fs::temp_directory_path() / "cache-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()));
    path = pattern;
  }
  ~TemporaryDirectory() { fs::remove_all(path); }

  fs::path onlyFile() const {
    std::vector<fs::path> files;
    for (const auto &entry : fs::directory_iterator(path))
      files.push_back(entry.path());
    REQUIRE(files.size() == 1);
    return files.front();
  }

  fs::path path;
};

std::string readFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void writeFile(const fs::path &path, const std::string &text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

} // namespace

TEST_CASE("an image comes back under its own key only", "[cache]") {
  TemporaryDirectory directory;
  const KernelCache cache(directory.path / "made" / "when needed");
  CHECK_FALSE(cache.find("key"));
  const std::string image("\0binary\n\xff", 9);
  cache.store("key", image);
  CHECK(cache.find("key") == image);
  CHECK_FALSE(cache.find("key2"));
  CHECK_FALSE(cache.find(""));
  cache.store("key", "newer");
  CHECK(cache.find("key") == "newer");
}

TEST_CASE("a truncated or changed entry is as good as none", "[cache]") {
  TemporaryDirectory directory;
  const KernelCache cache(directory.path);
  cache.store("the key", "the image");
  const fs::path file = directory.onlyFile();
  const std::string sound = readFile(file);
  for (size_t length = 0; length < sound.size(); ++length) {
    writeFile(file, sound.substr(0, length));
    CHECK_FALSE(cache.find("the key"));
  }
  for (size_t i = 0; i < sound.size(); ++i) {
    std::string flipped = sound;
    flipped[i] = char(flipped[i] ^ 0x10);
    writeFile(file, flipped);
    CHECK_FALSE(cache.find("the key"));
  }
  writeFile(file, sound + "x");
  CHECK_FALSE(cache.find("the key"));
  cache.store("the key", "the image");
  CHECK(cache.find("the key") == "the image");
}

TEST_CASE("an entry of another key under this one's name is not taken",
          "[cache]") {
  TemporaryDirectory directory;
  const KernelCache cache(directory.path);
  cache.store("one", "image of one");
  const fs::path file = directory.onlyFile();
  fs::rename(file, directory.path / (tilewire::digest("two") + ".kernel"));
  CHECK_FALSE(cache.find("two"));
}

TEST_CASE("a directory that can't be written is no error", "[cache]") {
  TemporaryDirectory directory;
  const fs::path blocked = directory.path / "file";
  writeFile(blocked, "not a directory");
  const KernelCache cache(blocked / "below");
  cache.store("key", "image");
  CHECK_FALSE(cache.find("key"));

  // Root may write anyway; then the entry is simply there.
  const KernelCache readOnly(directory.path / "read-only");
  fs::create_directory(directory.path / "read-only");
  fs::permissions(directory.path / "read-only",
                  fs::perms::owner_read | fs::perms::owner_exec);
  CHECK_NOTHROW(readOnly.store("key", "image"));
  if (::geteuid() != 0)
    CHECK_FALSE(readOnly.find("key"));
}

TEST_CASE("writers at once leave one sound entry and nothing else", "[cache]") {
  TemporaryDirectory directory;
  const KernelCache cache(directory.path);
  const std::string image(1 << 20, 'i');
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i)
    writers.emplace_back([&] { cache.store("key", image); });
  for (std::thread &writer : writers)
    writer.join();
  CHECK(cache.find("key") == image);
  directory.onlyFile();
}

TEST_CASE("the cache's directory comes from the environment", "[cache]") {
  TemporaryDirectory directory;
  {
    const ScopedVariable variable("TILEWIRE_CACHE_DIR", directory.path.c_str());
    KernelCache::fromEnvironment().store("key", "image");
    CHECK(KernelCache::fromEnvironment().find("key") == "image");
  }
  const ScopedVariable variable("TILEWIRE_CACHE_DIR", "");
  KernelCache::fromEnvironment().store("key", "image");
  CHECK_FALSE(KernelCache::fromEnvironment().find("key"));
}

TEST_CASE("without a directory of its own the cache is in the user's",
          "[cache]") {
  TemporaryDirectory home, cacheHome, current;
  const WithoutVariable none("TILEWIRE_CACHE_DIR");
  const fs::path before = fs::current_path();
  fs::current_path(current.path);
  const auto storeWith = [](const std::string &xdg, const std::string &user) {
    const ScopedVariable first("XDG_CACHE_HOME", xdg);
    const ScopedVariable second("HOME", user);
    KernelCache::fromEnvironment().store("key", "image");
    return KernelCache::fromEnvironment().find("key").has_value();
  };
  // A relative base is as good as none.
  for (const char *relative : {"", ".", "cache", "./cache", "~", "../here"}) {
    CHECK_FALSE(storeWith(relative, relative));
    CHECK_FALSE(storeWith("", relative));
    CHECK(fs::is_empty(current.path));
  }
  CHECK(storeWith("relative", home.path));
  CHECK_FALSE(fs::is_empty(home.path / ".cache" / "tilewire"));
  CHECK(storeWith(cacheHome.path, home.path));
  CHECK_FALSE(fs::is_empty(cacheHome.path / "tilewire"));
  CHECK(fs::is_empty(current.path));
  // One that is meant for this cache alone means what it says.
  const ScopedVariable own("TILEWIRE_CACHE_DIR", "kernels");
  CHECK(storeWith("", ""));
  CHECK_FALSE(fs::is_empty(current.path / "kernels"));
  fs::current_path(before);
}

TEST_CASE("digests and checksums are FNV-1a", "[cache]") {
  CHECK(tilewire::digest("") == "6c62272e07bb014262b821756295c58d");
  CHECK(tilewire::checksum("a") == 0xaf63dc4c8601ec8cu);
  CHECK(tilewire::digest("a") == "d228cb696f1a8caf78912b704e4a8964");
}

TEST_CASE("a folder or a pipe in an entry's place is as good as none",
          "[cache]") {
  TemporaryDirectory directory;
  const KernelCache cache(directory.path);
  cache.store("the key", "the image");
  const fs::path file = directory.onlyFile();
  fs::remove(file);
  fs::create_directory(file);
  CHECK_FALSE(cache.find("the key"));
  fs::remove(file);
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  CHECK_FALSE(cache.find("the key"));
}

TEST_CASE("garbage in an entry's place is not read whole", "[cache]") {
  TemporaryDirectory directory;
  const KernelCache cache(directory.path);
  cache.store("the key", "the image");
  const fs::path file = directory.onlyFile();
  const std::string sound = readFile(file);
  // More than the machine's memory, and not on the disk either.
  const auto hugeBytes = uintmax_t(1) << 42;
  const auto start = std::chrono::steady_clock::now();
  for (const std::string &begin :
       {std::string(), sound, std::string("twkern1")}) {
    writeFile(file, begin);
    std::error_code refused; // by a file system with smaller files
    fs::resize_file(file, hugeBytes, refused);
    if (!refused)
      CHECK_FALSE(cache.find("the key"));
  }
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
  cache.store("the key", "the image");
  CHECK(cache.find("the key") == "the image");
}
