// SPDX-License-Identifier: Apache-2.0
//
// One half of the banks with any beats whose items are in the order of their banks. One bank,
// chosen during reset, gets each of its items once, in the column of its position, four neighbours
// in each pass, and no other item. Passes are numbered in order, at most Window are in flight, and
// the oldest one reports the columns that it was put into. A pass is issued whenever there is a
// beat and room for it, so a beat leaves after its number of passes.

`include "formal.svh"

module shared_pass_props #(
  parameter int unsigned Lanes = 8,
  parameter int unsigned Window = 4,
  parameter int unsigned Half = 1,
  parameter int unsigned ItemW = 2,
  localparam int unsigned Banks = Lanes / 2,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned PassW = LaneW - 2,
  localparam int unsigned NumberW = $clog2(Window)
) (
  input logic                        clk_i,
  input logic                        run_i,
  input logic                        valid_i,
  input logic                        info_i,
  input logic [Lanes-1:0][ItemW-1:0] item_i,
  input logic [Lanes-1:0][LaneW:0]   stop_i,
  input logic [PassW:0]              passes_i,
  input logic                        leave_i,
  input logic [LaneW-2:0]            bank_i,
  input logic                        pick_i
);

  `FORMAL_RESET

  logic                             load, issued, idle, info, stall_bank, stall_window;
  logic [Banks-1:0][3:0]            put, need;
  logic [Banks-1:0][3:0][ItemW-1:0] item;
  logic [Banks-1:0]                 entry;
  logic [Banks-1:0][1:0]            entry_first;
  logic [Banks-1:0][2:0]            entry_number;
  logic [NumberW-1:0]               pass;

  faa_shared_pass #(.Lanes(Lanes), .ItemW(ItemW), .InfoW(1), .Window(Window), .Half(Half)) u_pass (
    .clk_i, .rst_ni, .valid_i, .load_o(load), .info_i, .item_i, .stop_i, .passes_i, .put_o(put), .item_o(item), .entry_o(entry),
    .entry_first_o(entry_first), .entry_number_o(entry_number), .pass_o(pass), .info_o(info), .issued_o(issued), .leave_i, .need_o(need),
    .stall_bank_o(stall_bank), .stall_window_o(stall_window), .idle_o(idle)
  );

  // ---- The environment: beats as faa_shared_items gives them; a pass leaves when it is in the
  // queues (shared_window_props.sv)

  logic           ascend;
  logic [LaneW:0] most, number;
  always_comb begin
    ascend = stop_i[Lanes-1] <= (LaneW+1)'(Lanes);
    most   = '0;
    number = '0;
    for (int k = 0; k < Lanes; k++) begin
      if (k != 0 && stop_i[k] < stop_i[k == 0 ? 0 : k-1]) ascend = 1'b0;
      if (k % 2 == Half) begin
        number = stop_i[k] - (k == 0 ? '0 : stop_i[k == 0 ? 0 : k-1]);
        if (number > most) most = number;
      end
    end
  end
  `FAA_ASSUME(BanksAscend, !valid_i || ascend)
  `FAA_ASSUME(PassesOfTheFullestBank, !valid_i || (most != '0 && passes_i == (PassW+1)'((most + (LaneW+1)'(3)) / (LaneW+1)'(4))))
  `FAA_ASSUME(LeavesFromTheQueues, !leave_i || inside_q != '0)

  // ---- The beat at work, the pass that comes out in the cycle after its issue, and passes in
  // flight

  logic [LaneW-2:0]            bank_q;
  logic                        busy_q, info_q, out_q, out_info_q;
  logic [Lanes-1:0][ItemW-1:0] item_q, out_item_q;
  logic [LaneW:0]              start, stop, start_q, stop_q, out_start_q, out_stop_q;
  logic [PassW:0]              passes_q, given_q, out_given_q;
  logic [NumberW-1:0]          next_q;
  logic [NumberW:0]            under_way_q, inside_q;
  logic                        issues, ends;

  assign stop  = stop_i[{bank_q, 1'(Half)}];
  assign start = {bank_q, 1'(Half)} == '0 ? '0 : stop_i[{bank_q, 1'(Half)} - LaneW'(1)];
  // A pass is issued whenever possible.
  assign issues = busy_q && under_way_q < (NumberW+1)'(Window);
  assign ends   = given_q + (PassW+1)'(1) == passes_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bank_q      <= bank_i;
      busy_q      <= 1'b0;
      out_q       <= 1'b0;
      next_q      <= '0;
      under_way_q <= '0;
      inside_q    <= '0;
    end else begin
      if (load) busy_q <= 1'b1;
      else if (issues && ends) busy_q <= 1'b0;
      out_q       <= issues && room_q;
      if (issued) next_q <= next_q + NumberW'(1);
      under_way_q <= under_way_q + (NumberW+1)'(issues && room_q) - (NumberW+1)'(leave_i);
      inside_q    <= inside_q + (NumberW+1)'(issued) - (NumberW+1)'(leave_i);
    end
    if (load) begin
      item_q   <= item_i;
      info_q   <= info_i;
      start_q  <= start;
      stop_q   <= stop;
      passes_q <= passes_i;
      given_q  <= '0;
    end else if (issues && room_q) begin
      given_q <= given_q + (PassW+1)'(1);
    end
    out_item_q  <= item_q;
    out_info_q  <= info_q;
    out_start_q <= start_q;
    out_stop_q  <= stop_q;
    out_given_q <= given_q;
  end

  // Only the first cycle after a reset has no room.
  logic room_q;
  always_ff @(posedge clk_i) room_q <= rst_ni;

  // Positions that the bank gets: from `from`, four at most, below `stop`
  logic [LaneW+1:0]      from, until_;
  logic [3:0]            columns;
  logic                  right;
  always_comb begin
    from    = (LaneW+2)'(out_start_q) + (LaneW+2)'(out_given_q) * (LaneW+2)'(4);
    until_  = from + (LaneW+2)'(4);
    if (until_ > (LaneW+2)'(out_stop_q)) until_ = (LaneW+2)'(out_stop_q);
    columns = '0;
    right   = 1'b1;
    for (int p = 0; p < Lanes; p++) begin
      if (out_q && (LaneW+2)'(p) >= from && (LaneW+2)'(p) < until_) begin
        columns[p%4] = 1'b1;
        if (item[bank_q][p%4] != out_item_q[p]) right = 1'b0;
      end
    end
  end

  `FAA_ASSERT(PutsTheNext, put[bank_q] == columns && right)
  `FAA_ASSERT(IssuesWithRoom, issued == out_q && idle == (!busy_q && under_way_q == '0))
  `FAA_ASSERT(EntryOfThePass, entry[bank_q] == (columns != '0) && (!entry[bank_q] ||
              (entry_first[bank_q] == 2'(from) && (LaneW+2)'(entry_number[bank_q]) == until_ - from)))
  `FAA_ASSERT(PassesInOrder, !issued || (pass == next_q && info == out_info_q))
  `FAA_ASSERT(PassesAreBounded, under_way_q <= (NumberW+1)'(Window) && inside_q + (NumberW+1)'(issued) == under_way_q)
  // A beat leaves with its last pass; by then its bank has all of its items.
  `FAA_ASSERT(LeavesComplete, !load || !busy_q || (issues && ends))
  `FAA_ASSERT(NoneIsLeft, !busy_q || (given_q < passes_q && (LaneW+2)'(stop_q) <= (LaneW+2)'(start_q) + (LaneW+2)'(passes_q) * (LaneW+2)'(4)))
  `FAA_ASSERT(TakesTheNext, !valid_i || load || (busy_q && !(issues && room_q && ends)))
  // Answers of a pass are taken from the columns that it was put into.
  logic             tracked_q;
  logic [NumberW:0] ahead_q;
  logic [3:0]       needed_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) tracked_q <= 1'b0;
    else if (tracked_q) begin
      if (leave_i) ahead_q <= ahead_q - (NumberW+1)'(1);
      if (leave_i && ahead_q == '0) tracked_q <= 1'b0;
    end else if (issued && pick_i) begin
      tracked_q <= 1'b1;
      ahead_q   <= inside_q - (NumberW+1)'(leave_i);
      needed_q  <= put[bank_q];
    end
  end
  `FAA_ASSERT(NeedsWhatWasPut, !(tracked_q && ahead_q == '0) || need[bank_q] == needed_q)

  // ---- Induction: values of the registers

  logic [NumberW-1:0] place;
  logic [4*Banks-1:0] kept;
  logic [LaneW+1:0]   done;
  assign done  = (LaneW+2)'(start_q) + (LaneW+2)'(given_q) * (LaneW+2)'(4);
  assign place = u_pass.oldest_q + NumberW'(ahead_q);
  assign kept  = u_pass.needs[place];
  `FAA_ASSERT(BeatAtWork, u_pass.busy_q == busy_q && (!busy_q || (u_pass.item_q == item_q && u_pass.info_q == info_q &&
              u_pass.passes_q == passes_q - given_q && stop_q <= (LaneW+1)'(Lanes) && start_q <= stop_q && passes_q <= (PassW+1)'(Lanes / 4))))
  `FAA_ASSERT(BankAtWork, !busy_q || (u_pass.start_q[bank_q] == LaneW'(done) && (LaneW+2)'(u_pass.left_q[bank_q]) ==
              (done < (LaneW+2)'(stop_q) ? (LaneW+2)'(stop_q) - done : '0)))
  `FAA_ASSERT(CountsAgree, u_pass.under_way_q == under_way_q && u_pass.next_q == NumberW'(next_q + NumberW'(issued)) &&
              u_pass.oldest_q == NumberW'(next_q - NumberW'(inside_q)) && (!room_q || u_pass.room_q == (under_way_q < (NumberW+1)'(Window))) &&
              (room_q || (!u_pass.room_q && !busy_q)))
  `FAA_ASSERT(NeedsAreKept, !tracked_q || (ahead_q < inside_q && kept[4*bank_q +: 4] == needed_q))

  logic unused;
  assign unused = stall_bank | stall_window;

endmodule
