//===- PreludeOrderTest.cpp - the memory order of CUDA's prelude ----------===//
//
// What no emulator shows and no GPU shows reliably: which accesses release and
// acquire, at which scope, and where block barriers stand. Read from the PTX of
// each function that a kernel can call, compiled without inlining, so that each
// has its own few lines. That every fault would be seen is shown by putting
// them into the prelude's text one at a time.
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Nvrtc.h"

#include <catch2/catch.hpp>

#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace tilewire;

namespace {

/// What each function does that other threads can tell, in the order of its
/// text: accesses of memory, block barriers, and calls of functions that do.
using Orders = std::map<std::string, std::string>;

const Orders expected = {
    {"load", "ld"},
    {"store", "st"},
    {"loadAcquire", "ld.acquire.sys.global.u32"},
    {"storeRelease", "st.release.sys.global.u32"},
    {"addAcquireRelease", "atom.acq_rel.gpu.global.add.u32"},
    {"claim", "atom.relaxed.gpu.global.exch.b32"},
    {"syncOr", "bar.red.or"},
    {"report", "claim st st st st st storeRelease storeRelease"},
    {"waitFor", "loadAcquire report"},
    {"waitForPeers", "waitFor syncOr"},
    {"signalPeers", "storeRelease"},
    {"haveSameLaunch", "ld report ld syncOr"},
    {"enterAll", "ld ld syncOr st signalPeers waitForPeers haveSameLaunch"},
    {"isLastBlock", "bar.sync addAcquireRelease st syncOr"},
    {"leaveAll", "isLastBlock ld signalPeers waitForPeers st"},
    {"barrierAll", "loadAcquire isLastBlock signalPeers waitForPeers "
                   "storeRelease bar.sync waitFor syncOr"},
};

// Calls every function of the prelude, each as a kernel can.
const char *const callsText = R"(
extern "C" __global__ void calls(const tw::World world, unsigned *words) {
  tw::store(words, 8, tw::load<4>(words, tw::threadInBlock() +
      tw::threadsInBlock() + tw::blockInGrid() + tw::blocksInGrid()));
  tw::storeRelease(tw::onPeer(world, words, 1), tw::loadAcquire(words));
  words[0] = tw::addAcquireRelease(words, 1) + tw::nanoseconds();
  tw::pause();
  words[1] = tw::claim(words) + tw::syncOr(words[2]);
  tw::report(world, words[3], words[4], words[5], words[6], words[7]);
  words[2] = tw::waitFor(world, words[3], words[4], words, words[5], words[6]);
  words[3] = tw::waitForPeers(world, words[4], words, words[5]);
  tw::signalPeers(world, words, words[4]);
  words[4] = tw::haveSameLaunch(world, words[5]);
  words[5] = tw::enterAll(world, words[6]);
  words[6] = tw::isLastBlock(words);
  tw::leaveAll(world, words[7]);
  words[7] = tw::barrierAll(world, words[8]);
}
)";

/// The name in namespace tw that `line` mangles, or "".
std::string nameIn(const std::string &line) {
  const std::size_t at = line.find("_ZN2tw");
  if (at == std::string::npos)
    return "";
  std::size_t digits = 0;
  const int length = std::stoi(line.substr(at + 6), &digits);
  return line.substr(at + 6 + digits, std::size_t(length));
}

/// How `operation` is written down; "" when no other thread can tell.
std::string eventOf(const std::string &operation) {
  if (std::regex_search(operation, std::regex("^(ld|st)\\.(param|local|const|"
                                              "shared)")))
    return "";
  if (std::regex_search(operation, std::regex("^(bar|barrier)\\.")))
    return operation.find(".red.or") != std::string::npos ? "bar.red.or"
                                                          : "bar.sync";
  // Plain accesses, of whatever width.
  const std::regex plain("^(ld|st)(\\.global)?(\\.v[24])?\\.[usb][0-9]+$");
  if (std::smatch match; std::regex_search(operation, match, plain))
    return match[1];
  return std::regex_search(operation,
                           std::regex("^(ld|st|atom|red|fence|membar)\\b"))
             ? operation
             : "";
}

/// The functions' events from the PTX that has them one after another.
Orders ordersIn(const std::string &ptx) {
  std::map<std::string, std::vector<std::string>> events;
  std::string function;
  bool isHeader = false, isCall = false;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    isHeader = isHeader || line.find(".func") == 0;
    if (line.find(".entry") != std::string::npos)
      function = "";
    const std::string name = nameIn(line);
    std::istringstream words(line);
    std::string operation;
    words >> operation;
    if (operation.find('@') == 0)
      words >> operation;
    isCall = isCall || operation.find("call") == 0;
    if (isHeader && !name.empty()) {
      function = name;
      events[function];
      isHeader = false;
    } else if (isCall && !name.empty()) {
      events[function].push_back(name);
      isCall = false;
    } else if (const std::string event = eventOf(operation); !event.empty()) {
      events[function].push_back(event);
    }
  }
  Orders orders;
  for (const auto &[name, list] : events) {
    std::string &order = orders[name];
    std::string last;
    for (const std::string &event : list) {
      const auto called = events.find(event);
      const bool tells = called == events.end() || !called->second.empty();
      // Polls in a row count once: a compiler copies loops as it likes.
      if (tells && (event != "loadAcquire" || event != last))
        order += (order.empty() ? "" : " ") + event;
      if (tells)
        last = event;
    }
  }
  orders.erase(""); // the kernel
  return orders;
}

Orders ordersOf(const std::string &prelude) {
  const CompiledText compiled =
      compileForTarget(callsText, "calls.cu", {90, /*machineCode=*/false},
                       /*verbose=*/false, prelude.c_str());
  INFO(compiled.log);
  REQUIRE(compiled.succeeded);
  return ordersIn(compiled.image);
}

std::string replaced(std::string text, std::size_t at, const std::string &from,
                     const std::string &to) {
  return text.replace(at, from.size(), to);
}

/// The prelude with every function out of line.
std::string outlinedPrelude() {
  const std::string inlined = "__forceinline__";
  const std::string text = cudaPrelude;
  return replaced(text, text.find(inlined), inlined, "__noinline__");
}

/// Statements of inline PTX over which the compiler might move an access.
std::vector<std::string> looseStatements(const std::string &prelude) {
  std::vector<std::string> loose;
  for (std::size_t at = prelude.find("asm"); at != std::string::npos;
       at = prelude.find("asm", at + 1)) {
    const std::string statement =
        prelude.substr(at, prelude.find(");", at) - at);
    const bool clobbers = statement.ends_with(": \"memory\"") ||
                          statement.ends_with("::\"memory\"");
    if (!statement.starts_with("asm volatile(") || !clobbers)
      loose.push_back(statement);
  }
  return loose;
}

/// Every function that a prelude defines.
std::set<std::string> functionsOf(const std::string &prelude) {
  const std::regex pattern("\nTW_DEVICE [^;{]*?(\\w+)\\(");
  std::set<std::string> names;
  for (std::sregex_iterator at(prelude.begin(), prelude.end(), pattern), end;
       at != end; ++at)
    names.insert((*at)[1]);
  return names;
}

/// Whether the function whose name is at `at` is defined there.
bool isDefined(const std::string &prelude, std::size_t at) {
  const std::size_t line = prelude.rfind('\n', at) + 1;
  return prelude.compare(line, 9, "TW_DEVICE") == 0 &&
         prelude.find('(', line) > at;
}

bool nvrtcOrSkip() {
  std::string reason;
  if (hasNvrtc(&reason))
    return true;
  WARN("skipped: " << reason);
  return false;
}

} // namespace

TEST_CASE("each function of CUDA's prelude orders memory as ranks need it",
          "[nvrtc]") {
  if (!nvrtcOrSkip())
    return;
  Orders orders = ordersOf(outlinedPrelude());
  for (const std::string &name : functionsOf(cudaPrelude)) {
    // It does nothing on a GPU, and nothing is left of a call.
    if (name == "check")
      continue;
    INFO("call " << name << " in callsText above, and say what it does");
    CHECK(orders.count(name) == 1);
  }
  std::erase_if(orders, [](const auto &order) { return order.second.empty(); });
  CHECK(orders == expected);
  CHECK(looseStatements(cudaPrelude).empty());
}

TEST_CASE("an order of CUDA's prelude that is weaker anywhere is seen",
          "[nvrtc]") {
  if (!nvrtcOrSkip())
    return;
  const auto [strong, weak] = GENERATE(table<std::string, std::string>({
      {"st.release.sys", "st.relaxed.sys"},
      {"st.release.sys", "st.release.gpu"},
      {"ld.acquire.sys", "ld.relaxed.sys"},
      {"ld.acquire.sys", "ld.acquire.gpu"},
      {"atom.acq_rel.gpu", "atom.relaxed.gpu"},
      {"atom.acq_rel.gpu", "atom.acquire.gpu"},
      {"atom.acq_rel.gpu", "atom.release.gpu"},
      {"atom.acq_rel.gpu", "atom.acq_rel.cta"},
      {"atom.relaxed.gpu.global.exch", "atom.relaxed.cta.global.exch"},
      {"__syncthreads();", ";"},
      {"__syncthreads_or(condition)", "condition"},
      // Calls.
      {"syncOr(", "bool("},
      {"storeRelease(", "weakStore("},
      {"loadAcquire(", "weakLoad("},
      {"addAcquireRelease(", "atomicAdd("},
      {"claim(", "weakClaim("},
      {"waitFor(", "weakWait("},
      {"waitForPeers(", "weakWait("},
  }));
  const std::string helpers =
      "#define weakStore(word, value) (*(word) = (value))\n"
      "#define weakLoad(word) (*(word))\n"
      "#define weakClaim(word) (atomicExch(word, 1u) == 0)\n"
      "#define weakWait(...) true\n";
  const std::string prelude = outlinedPrelude();
  const Orders orders = ordersOf(prelude);
  int numSeen = 0;
  for (std::size_t at = prelude.find(strong); at != std::string::npos;
       at = prelude.find(strong, at + 1)) {
    if (isDefined(prelude, at))
      continue;
    ++numSeen;
    INFO(strong << " made " << weak << " at: " << prelude.substr(at, 80));
    const bool isSeen =
        ordersOf(helpers + replaced(prelude, at, strong, weak)) != orders;
    CHECK(isSeen);
  }
  CHECK(numSeen > 0);
}

TEST_CASE("inline PTX over which a compiler could move an access is seen",
          "[nvrtc]") {
  const std::string prelude = cudaPrelude;
  int numSeen = 0;
  for (const std::string strong : {"asm volatile", "\"memory\""})
    for (std::size_t at = prelude.find(strong); at != std::string::npos;
         at = prelude.find(strong, at + 1), ++numSeen)
      CHECK(looseStatements(replaced(prelude, at, strong,
                                     strong == "asm volatile" ? "asm" : "\"\""))
                .size() == 1);
  CHECK(numSeen >= 8);
}
