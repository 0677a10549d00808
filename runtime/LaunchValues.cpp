//===- LaunchValues.cpp - parameters of launches, and their values --------===//

#include "runtime/LoadedKernel.h"

#include <algorithm>

namespace tilewire {
namespace {

std::string quoted(const std::string &name) { return "'" + name + "'"; }

/// A run-time extent has the bound of its parameter, for which its memory is
/// made.
void checkExtents(const KernelSource &source, const std::string &kernel) {
  for (const TensorParameter &tensor : source.parameters)
    for (const Extent &extent : tensor.extents) {
      if (extent.parameter.empty())
        continue;
      const auto found = std::ranges::find(
          source.launchParameters, extent.parameter, &LaunchParameter::name);
      const std::string what = "extent " + quoted(extent.parameter) + " of " +
                               quoted(tensor.name) + " of " + kernel;
      if (found == source.launchParameters.end())
        throw UserError(
            "expected " + what + " to be one of its launch parameters (" +
            names(source.launchParameters) + "), got none of that name");
      if (found->most != extent.value)
        throw UserError("expected " + what +
                        " to have the bound of the parameter, " +
                        std::to_string(found->most) + ", got " +
                        std::to_string(extent.value));
    }
}

/// Values that differ between ranks have them write to the wrong places.
void checkCompared(const KernelSource &source, const std::string &kernel) {
  if (source.launchParameters.empty() || source.numRanks == 1 ||
      std::ranges::find(source.waits, "entry barrier", &WaitSite::what) !=
          source.waits.end())
    return;
  throw UserError("expected an entry barrier in " + kernel +
                  " (because it compares the values of " +
                  names(source.launchParameters) +
                  " over the ranks), got none; give the kernel completion");
}

} // namespace

void checkLaunchParameters(const KernelSource &source) {
  const std::string kernel = "kernel " + quoted(source.entry);
  for (const LaunchParameter &parameter : source.launchParameters) {
    if (parameter.name.empty() ||
        std::ranges::count(source.launchParameters, parameter.name,
                           &LaunchParameter::name) > 1)
      throw UserError("expected launch parameters of " + kernel +
                      " with names of their own, got " +
                      names(source.launchParameters));
    if (parameter.most < 0)
      throw UserError("expected a bound of 0 or more for parameter " +
                      quoted(parameter.name) + " of " + kernel + ", got " +
                      std::to_string(parameter.most));
  }
  checkExtents(source, kernel);
  checkCompared(source, kernel);
}

LaunchValues checkValues(const KernelSource &source,
                         const LaunchValues &values) {
  const std::vector<LaunchParameter> &parameters = source.launchParameters;
  const auto refuse = [&](const std::string &got) {
    throw UserError("expected " +
                    (parameters.empty()
                         ? "no values of parameters"
                         : "one value each of " + names(parameters)) +
                    " for kernel " + quoted(source.entry) + ", got " + got);
  };
  for (const LaunchValue &value : values)
    if (std::ranges::find(parameters, value.name, &LaunchParameter::name) ==
        parameters.end())
      refuse("one of " + quoted(value.name));
  LaunchValues ordered;
  for (const LaunchParameter &parameter : parameters) {
    const auto given =
        std::ranges::find(values, parameter.name, &LaunchValue::name);
    if (given == values.end())
      refuse("none of " + quoted(parameter.name));
    if (std::find_if(given + 1, values.end(), [&](const LaunchValue &other) {
          return other.name == parameter.name;
        }) != values.end())
      refuse("two of " + quoted(parameter.name));
    if (given->value < 0 || given->value > parameter.most)
      throw UserError("expected 0 to " + std::to_string(parameter.most) +
                      " for parameter " + quoted(parameter.name) +
                      " of kernel " + quoted(source.entry) + ", got " +
                      std::to_string(given->value));
    ordered.push_back(*given);
  }
  return ordered;
}

} // namespace tilewire
