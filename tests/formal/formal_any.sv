// SPDX-License-Identifier: Apache-2.0
//
// A value of the solver's choice, another one in each cycle. For code inside a module, which has no
// inputs of its own.

(* blackbox *)
module formal_any #(
  parameter int unsigned WIDTH = 1
) (
  output logic [WIDTH-1:0] Y
);
endmodule
