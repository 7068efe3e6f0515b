import type { BillInput } from '#shared/rules/billing/bill.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { priceDecisions, tierSchedule } from '#server/catalogue/service.ts';
import { type Payer, requirePayerFacts } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { readTogether } from '#server/platform/data/database.ts';
import { type SlotRow, slotsOf, toBillRow } from '../queries.ts';
import { type AdjustmentRecord, waitingAdjustments } from './queries-bills.ts';

/** Everything that a payer's bill is made of, read at one moment. */
export type BillReading = {
  payer: Payer;
  facts: Awaited<ReturnType<typeof requirePayerFacts>>;
  slots: SlotRow[];
  waiting: AdjustmentRecord[];
  input: BillInput;
};

/** Reads what the payer's bill is made of. */
export async function readBill(context: Context, payer: Payer): Promise<BillReading> {
  const [facts, schedule, slots, waiting, decisions] = await readTogether(
    context.db,
    () => requirePayerFacts(context.db, payer),
    () => tierSchedule(context),
    () => slotsOf(context.db, payer),
    () => waitingAdjustments(context.db, payer),
    () => priceDecisions(context.db),
  );
  const input: BillInput = {
    payer: facts,
    tiers: schedule.tiers,
    rows: slots
      .filter(({ status }) => status !== 'incomplete')
      .map((row) => toBillRow(row, row.toolId === lostMoneyTool ? [] : decisions.get(row.toolId))),
    adjustments: waiting,
    now: context.now(),
  };
  return { payer, facts, slots, waiting, input };
}
