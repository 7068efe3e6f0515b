import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { accessChanged } from '#server/access-tokens/service.ts';
import { audit } from '#server/audit/service.ts';
import { findTool } from '#server/catalogue/service.ts';
import { type Payer, payerKey, payerOf } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import { includesFreeTool } from './rights.ts';
import { endFreeTool, insertRow, type NewRow, slotsOf, type SubscriptionRow, updateRow } from './queries.ts';
import type { BillRecord } from './bill/queries-bills.ts';

/** Once the caller's transaction commits, jobs bring Stripe to what the payer's coming bill says, and tell the payer what can't wait. */
export async function queueMirror({ db, queue }: Context, payer: Payer): Promise<void> {
  const singletonKey = payerKey(payer);
  await queue.send(db, 'mirror-bill', { payer }, { singletonKey });
  await queue.send(db, 'tell-bill', { payer }, { singletonKey });
}

const holdsSlot = (row: SubscriptionRow | null) => row !== null && row.isActive && row.status !== 'incomplete';

/** What decides how long the row goes on. */
const courseOf = (row: SubscriptionRow | null): string => {
  if (row === null || !holdsSlot(row)) return '';
  const { status, autoRenew, endDate, trialEndDate, gracePeriodEnd } = row;
  return JSON.stringify([status, autoRenew, endDate, trialEndDate, gracePeriodEnd]);
};

/** `byCaller`: the sender of the request makes the change, and not Stripe or the clock. */
type By = { byCaller?: boolean };

/** Changes a row, and writes what follows from it; null where the row has changed since it was read. */
export async function changeRow(
  inside: Context,
  before: SubscriptionRow,
  values: Partial<SubscriptionRow>,
  by: By = {},
): Promise<SubscriptionRow | null> {
  const after = await updateRow(inside.db, before, values);
  if (after) await applyEffects(inside, before, after, by);
  return after;
}

/** Adds a row, and writes what follows from it; null where the payer has the tool. */
export async function addRow(inside: Context, values: NewRow, by: By = {}): Promise<SubscriptionRow | null> {
  const row = await insertRow(inside.db, values);
  if (row) await applyEffects(inside, null, row, by);
  return row;
}

/** What follows from a change of a row, in its transaction: audit, what its tool is told, the free tool, Stripe. */
async function applyEffects(
  inside: Context,
  before: SubscriptionRow | null,
  after: SubscriptionRow,
  { byCaller = false }: By,
): Promise<void> {
  const was = before?.status ?? 'none';
  if (was !== after.status)
    await audit(inside, 'subscription.changed', {
      subscription: after.id,
      ...(!byCaller && { actorId: null }),
      before: { status: was },
      after: { status: after.status, toolId: after.toolId, monthlyCents: after.monthlyCents },
    });
  if (courseOf(before) === courseOf(after)) return;
  await accessChanged(inside, after);
  if (after.toolId === lostMoneyTool) return;
  const payer = payerOf(after);
  const now = inside.now();
  await queueMirror(inside, payer);
  if (!holdsSlot(before) && holdsSlot(after)) {
    const free = await findTool(inside.db, lostMoneyTool);
    if (free?.isActive && free.closedAt === null)
      await insertRow(inside.db, {
        userId: after.userId,
        teamId: after.teamId,
        subscriptionType: after.subscriptionType,
        toolId: free.id,
        status: 'active',
        monthlyCents: 0,
        createdAt: now,
      });
  }
  if (holdsSlot(before) && !holdsSlot(after) && !(await includesFreeTool(inside, payer)))
    await endFreeTool(inside.db, payer, now);
}

/** Whether a tool hangs on this bill: it goes on if the bill is paid, and expires if it isn't. */
export const hangsOn =
  ({ lines, stripeInvoiceId }: BillRecord) =>
  ({ id, paymentProblem }: SubscriptionRow) =>
    lines.some(({ subscriptionId }) => subscriptionId === id) || paymentProblem?.invoiceId === stripeInvoiceId;

/** The payer's rows that hang on it, as they are now. */
export const rowsOn = async (db: Db, bill: BillRecord) => (await slotsOf(db, payerOf(bill))).filter(hangsOn(bill));

/** The columns of a tool that hangs on an unpaid bill; it was paid until `endDate`. */
export const inGrace = ({ stripeInvoiceId, problem, graceEnd }: BillRecord, endDate: Date) => ({
  status: 'grace_period' as const,
  endDate,
  gracePeriodEnd: graceEnd,
  paymentProblem: {
    invoiceId: stripeInvoiceId!,
    amountCents: problem?.dueCents ?? 0,
    reason: problem?.reason ?? '',
    needsAction: problem?.needsAction ?? false,
  },
});

/** The columns of a tool that goes on until then; without a date, it costs nothing. */
export const goingOn = (until: Date | null) => ({
  status: 'active' as const,
  endDate: until,
  gracePeriodEnd: null,
  paymentProblem: null,
});

export const expired = (at: Date) => ({
  status: 'expired' as const,
  isActive: false,
  expiredAt: at,
  paymentProblem: null,
});
