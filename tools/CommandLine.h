//===- CommandLine.h - options read strictly, errors told alike -----------===//
//
// Numbers and flags on top of CLI11, which would take `--flag=7` and `nan`, and
// its errors in our words; and what every program does with an error. For
// tools, and for examples that have options.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TOOLS_COMMANDLINE_H
#define TILEWIRE_TOOLS_COMMANDLINE_H

#include <tilewire/Error.h>

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <string>
#include <type_traits>

namespace tilewire {

/// The number from `least` to `most` that `text` is, a whole one where `Number`
/// is; UserError naming the option `name` otherwise.
template <typename Number>
Number parseNumber(const std::string &name, const std::string &text,
                   int64_t least, int64_t most) {
  using Parsed =
      std::conditional_t<std::is_integral_v<Number>, int64_t, double>;
  Parsed number = 0;
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  // Written so that what is not a number is not in the range either.
  const bool isInRange = number >= Parsed(least) && number <= Parsed(most);
  if (error != std::errc() || stop != end || !isInRange)
    throw UserError("expected " + name + " to be a " +
                    (std::is_integral_v<Number> ? "whole " : "") +
                    "number from " + std::to_string(least) + " to " +
                    std::to_string(most) + ", got '" + text + "'");
  return static_cast<Number>(number);
}

/// Adds an option that takes a number from `least` to `most`, a whole one where
/// `value` is. `names` as for CLI11; the last is the one in messages.
template <typename Number>
CLI::Option *addNumber(CLI::App &app, const std::string &names, Number &value,
                       int64_t least, int64_t most, const std::string &help) {
  const std::string name = names.substr(names.find_last_of(',') + 1);
  const auto parse = [=, &value](const std::string &text) {
    value = parseNumber<Number>(name, text, least, most);
  };
  return app.add_option_function<std::string>(names, parse, help)
      ->type_name("N");
}

/// The error of a flag with a value among `argv`, if there is one.
inline void refuseFlagValues(const CLI::App &app, int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const size_t equals = argument.find('=');
    const CLI::Option *option =
        app.get_option_no_throw(argument.substr(0, equals));
    if (option && option->get_expected_max() == 0 &&
        equals != std::string::npos)
      throw UserError("expected no value for " + argument.substr(0, equals) +
                      ", got '" + argument.substr(equals + 1) + "'");
  }
}

/// The error of an option that the app does not have, if there is one.
inline void refuseUnknownOptions(const CLI::App &app, int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::string name = argument.substr(0, argument.find('='));
    if (name.size() > 2 && name.starts_with("--") &&
        !app.get_option_no_throw(name))
      throw UserError("expected options that --help lists, got '" + argument +
                      "'");
  }
}

/// Reads the command line, where a flag takes no value but "true". False when
/// it was answered (--help); throws UserError naming the option and what was
/// got.
inline bool parseCommandLine(CLI::App &app, int argc, char **argv) {
  for (CLI::Option *option : app.get_options())
    if (option->get_expected_max() == 0)
      option->disable_flag_override();
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &help) {
    app.exit(help);
    return false;
  } catch (const CLI::ExtrasError &) {
    // Reported below, with what an app that takes a command leaves over.
  } catch (const CLI::ParseError &error) {
    refuseFlagValues(app, argc, argv);
    refuseUnknownOptions(app, argc, argv);
    throw UserError(std::string(error.what()) + "; --help lists the options");
  }
  // The size leaves out a "--" that ended the options.
  if (app.remaining_size() == 0)
    return true;
  std::string unknown;
  for (const std::string &text : app.remaining())
    unknown += (unknown.empty() ? "" : " ") + text;
  throw UserError("expected options that --help lists, got '" + unknown + "'");
}

/// What a program exits with besides 0.
constexpr int exitFailed = 1;
constexpr int exitUserError = 2;

/// Runs `body`, a program's main, and returns its exit code. An error goes to
/// standard error, with `prefix` in front, in one write: ranks may share it.
/// Standard output that could not be written is an error too.
inline int runProgram(const std::string &prefix,
                      const std::function<int()> &body) {
  const auto print = [&](ErrorKind kind, const std::string &message) {
    std::cerr << prefix + std::string(errorPrefix(kind)) + message + "\n";
    return kind == ErrorKind::User ? exitUserError : exitFailed;
  };
  try {
    const int status = body();
    std::cout.flush();
    if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout))
      throw MachineError("can't write to standard output");
    return status;
  } catch (const Error &error) {
    return print(error.kind(), error.what());
  } catch (const std::exception &error) {
    return print(ErrorKind::Internal, error.what());
  }
}

} // namespace tilewire

#endif // TILEWIRE_TOOLS_COMMANDLINE_H
