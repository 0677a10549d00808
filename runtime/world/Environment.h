//===- Environment.h - what launchers tell a rank -------------------------===//
//
// Reads rank, size and rendezvous from the variables of the launchers that
// Tilewire knows. Used by rankFromEnvironment; takes the look-up as an
// argument so that it can be tested.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_WORLD_ENVIRONMENT_H
#define TILEWIRE_RUNTIME_WORLD_ENVIRONMENT_H

#include <tilewire/Launch.h>

#include <functional>

namespace tilewire {

/// The value of a variable, or null when it is not set.
using LookUp = std::function<const char *(const char *name)>;

// What Tilewire's own launcher sets.
inline constexpr const char *rankVariable = "TILEWIRE_RANK";
inline constexpr const char *sizeVariable = "TILEWIRE_SIZE";
inline constexpr const char *localRankVariable = "TILEWIRE_LOCAL_RANK";
inline constexpr const char *rendezvousVariable = "TILEWIRE_RENDEZVOUS";

/// Name of Tilewire's own launcher in RankIdentity.
inline constexpr const char *ownLauncher = "tilewire";

/// See rankFromEnvironment.
std::optional<RankIdentity> identityFrom(const LookUp &lookUp);

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_WORLD_ENVIRONMENT_H
