// What is refused of parameters that each launch gives.
// RUN: tilewire-opt %s --split-input-file --verify-diagnostics

// C10: an extent of a parameter that is not declared.
// expected-error@+1 {{expected argument 0 to have extents of declared parameters, got #tile.parameter<"S", most = 64> where the kernel's 'parameters' are []}}
tile.kernel @k(%t: !tile.tensor<S[64]xf16>) attributes {num_ranks = 2 : i64, completion} {
  tile.return
}

// -----

// C10: another bound than the one declared.
// expected-error@+1 {{expected argument 0 to have extents of declared parameters, got #tile.parameter<"S", most = 65> where}}
tile.kernel @k(%t: !tile.tensor<share(S[65])xf16>)
    attributes {num_ranks = 2 : i64, completion, parameters = [#tile.parameter<"S", most = 64>]} {
  tile.return
}

// -----

// C10: ranks compare what they were given where they enter.
// expected-error@+1 {{expected 'completion' (because ranks compare the parameters where they enter), got none}}
tile.kernel @k() attributes {num_ranks = 2 : i64, parameters = [#tile.parameter<"S", most = 64>]} {
  tile.return
}

// -----

// C10: one name twice.
// expected-error@+1 {{expected parameters of different names, got "S" twice}}
tile.kernel @k() attributes {num_ranks = 2 : i64, completion,
    parameters = [#tile.parameter<"S", most = 64>, #tile.parameter<"S", most = 8>]} {
  tile.return
}

// -----

// expected-error@+2 {{expected a parameter's name to be a word (letters, digits and underscores) that is no type, got "f16"}}
tile.kernel @k() attributes {num_ranks = 2 : i64, completion,
    parameters = [#tile.parameter<"f16", most = 64>]} {
  tile.return
}

// -----

// expected-error@+2 {{expected a parameter's name to be a word (letters, digits and underscores) that is no type, got "a b"}}
tile.kernel @k() attributes {num_ranks = 2 : i64, completion,
    parameters = [#tile.parameter<"a b", most = 64>]} {
  tile.return
}

// -----

// expected-error@+2 {{expected a parameter "S" of at most 0 or more, got -1}}
tile.kernel @k() attributes {num_ranks = 2 : i64, completion,
    parameters = [#tile.parameter<"S", most = -1>]} {
  tile.return
}

// -----

// C1 of tile.parameter.
tile.kernel @k() attributes {num_ranks = 2 : i64, completion, parameters = [#tile.parameter<"S", most = 1>]} {
  // expected-error@+1 {{expected a parameter that the kernel declares, got "T"}}
  %0 = tile.parameter "T"
  tile.return
}

// -----

// A parameter is no part of the whole along 'gather'.
tile.kernel @k(%src: !tile.tensor<8xS[4]xf16>, %dst: !tile.tensor<share(8)xS[4]xf16, symmetric>)
    attributes {num_ranks = 2 : i64, completion, parameters = [#tile.parameter<"S", most = 4>]} {
  // expected-error@+1 {{expected a share or a number along 'gather' (because the ranks' parts make the whole), got [8, S[4]]}}
  tile.all_to_all %src to %dst scatter 0 gather 1 permute [0, 1]
    : !tile.tensor<8xS[4]xf16> -> !tile.tensor<share(8)xS[4]xf16, symmetric>
  tile.return
}
