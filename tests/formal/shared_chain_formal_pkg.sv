// SPDX-License-Identifier: Apache-2.0
//
// Bits of a word that the proof of stage X uses: the highest ones, including the sign. The others
// are 0.

package shared_chain_formal_pkg;
  localparam logic [31:0] WORD_MASK = 32'hc0000000;
endpackage
