// SPDX-License-Identifier: Apache-2.0
//
// Bits of a word that the proof of stage X uses; the others are 0. The highest ones: the sign is among them.

package shared_chain_formal_pkg;
  localparam logic [31:0] WORD_MASK = 32'hc0000000;
endpackage
