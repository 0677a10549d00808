//===- tilewire-info.cpp - what this machine can run ----------------------===//
//
// Prints the version, the back ends and NVRTC, and for what is missing the
// reason. Exits 0 unless called wrongly: a machine without a GPU is no error.
//
//===----------------------------------------------------------------------===//

#include "runtime/Device.h"
#include "runtime/cuda/Nvrtc.h"
#include "tools/CommandLine.h"

#include <tilewire/Nccl.h>

#include <nlohmann/json.hpp>

#include <iostream>

using namespace tilewire;
using nlohmann::ordered_json;

namespace {

/// {"devices": [description, ...], "reason": why there are none}. A GPU that
/// can't be opened keeps its place, with the error for a description.
ordered_json inspectCuda() {
  std::string reason;
  const int count = countCudaDevices(&reason);
  ordered_json devices = ordered_json::array();
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    try {
      devices.push_back(openCudaDevice(ordinal)->description());
    } catch (const Error &error) {
      devices.push_back(std::string("unusable: ") + error.what());
    }
  }
  return {{"devices", devices}, {"reason", count > 0 ? "" : reason}};
}

/// {"found": whether it can be used, "version": what it is, "reason": why not}.
ordered_json found(const std::string &version) {
  return {{"found", true}, {"version", version}, {"reason", ""}};
}

ordered_json missing(const std::string &reason) {
  return {{"found", false}, {"version", ""}, {"reason", reason}};
}

ordered_json inspectNvrtc() {
  std::string reason;
  return hasNvrtc(&reason) ? found(nvrtcVersion()) : missing(reason);
}

ordered_json inspectNccl() {
  try {
    return found(ncclVersion());
  } catch (const Error &error) {
    return missing(error.what());
  }
}

/// The emulator needs a C++ compiler, which its key names.
ordered_json inspectEmulator() {
  try {
    auto device = openEmulatorDevice(/*rank=*/0, /*seed=*/0);
    device->compileKey();
    return found(device->description());
  } catch (const Error &error) {
    return missing(error.what());
  }
}

void printPart(const std::string &name, const ordered_json &part) {
  std::cout << name << ": "
            << (part["found"].get<bool>() ? part["version"] : part["reason"])
                   .get<std::string>()
            << '\n';
}

void print(const ordered_json &machine) {
  std::cout << "tilewire: " << machine["version"].get<std::string>() << '\n';
  const ordered_json &devices = machine["cuda"]["devices"];
  for (size_t ordinal = 0; ordinal < devices.size(); ++ordinal)
    std::cout << "gpu " << ordinal << ": "
              << devices[ordinal].get<std::string>() << '\n';
  if (devices.empty())
    std::cout << "gpus: none, " << machine["cuda"]["reason"].get<std::string>()
              << '\n';
  printPart("nvrtc", machine["nvrtc"]);
  printPart("nccl", machine["nccl"]);
  printPart("emulator", machine["emulator"]);
}

} // namespace

int main(int argc, char **argv) {
  bool asJson = false;
  CLI::App app(
      "Tells what this machine can run: GPUs, NVRTC, NCCL, the emulator.");
  app.add_flag("--json", asJson, "one JSON object, for programs");
  return runProgram("", [&] {
    if (!parseCommandLine(app, argc, argv))
      return 0;
    const ordered_json machine = {{"version", TILEWIRE_VERSION},
                                  {"cuda", inspectCuda()},
                                  {"nvrtc", inspectNvrtc()},
                                  {"nccl", inspectNccl()},
                                  {"emulator", inspectEmulator()}};
    if (asJson)
      std::cout << machine.dump(2) << '\n';
    else
      print(machine);
    return 0;
  });
}
