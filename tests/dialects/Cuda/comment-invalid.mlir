// A comment stays on its line.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// C1: a line break.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{expected one line of text without control characters or a backslash at its end, got "one\0Atwo"}}
  cuda.comment "one\0Atwo"
  cuda.return
}

// -----

// C1: a carriage return.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{expected one line of text without control characters or a backslash at its end, got "one\0Dtwo"}}
  cuda.comment "one\0Dtwo"
  cuda.return
}

// -----

// C1: a backslash that joins the next line.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{expected one line of text without control characters or a backslash at its end, got "one \\"}}
  cuda.comment "one \\"
  cuda.return
}

// -----

// C1: a backslash that blanks follow.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{expected one line of text without control characters or a backslash at its end, got "one \\  "}}
  cuda.comment "one \\  "
  cuda.return
}

// -----

// C1: a NUL.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{expected one line of text without control characters or a backslash at its end, got "one\00two"}}
  cuda.comment "one\00two"
  cuda.return
}

// -----

// C1: a tab.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{expected one line of text without control characters or a backslash at its end, got "one\09two"}}
  cuda.comment "one\09two"
  cuda.return
}

// -----

// C1: an escape.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{expected one line of text without control characters or a backslash at its end, got "one\1B[2Jtwo"}}
  cuda.comment "one\1B[2Jtwo"
  cuda.return
}
