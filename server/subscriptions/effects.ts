import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { accessChanged } from '#server/access-tokens/service.ts';
import { audit } from '#server/audit/service.ts';
import { findTool } from '#server/catalogue/service.ts';
import { type Payer, payerKey, payerOf } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { includesFreeTool } from './rights.ts';
import { endFreeTool, insertFreeTool, insertRow, type NewRow, type SubscriptionRow, updateRow } from './queries.ts';

/** Once the caller's transaction commits, jobs bring Stripe to what the payer's coming bill says, and tell the payer what can't wait. */
export async function queueMirror({ db, queue }: Context, payer: Payer): Promise<void> {
  const singletonKey = payerKey(payer);
  await queue.send(db, 'mirror-bill', { payer }, { singletonKey });
  await queue.send(db, 'tell-bill', { payer }, { singletonKey });
}

/** Does it in a minute: Stripe has to do something of its own first. */
export const queueMirrorLater = ({ db, queue }: Context, payer: Payer) =>
  queue.send(db, 'mirror-bill', { payer }, { singletonKey: payerKey(payer), startAfter: 60 });

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
    if (free?.isActive && free.closedAt === null) await insertFreeTool(inside.db, payer, now);
  }
  if (holdsSlot(before) && !holdsSlot(after) && !(await includesFreeTool(inside, payer)))
    await endFreeTool(inside.db, payer, now);
}
