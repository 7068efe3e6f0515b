import { hour, minute, plus, plusMonths } from '#shared/rules/dates.ts';
import { billOf } from '#shared/rules/billing/bill.ts';
import { priceDecisions, toolName } from '#server/catalogue/service.ts';
import { findPayerFacts, lockPayer, type Payer } from '#server/payers/service.ts';
import { idOf } from '#server/stripe/ask.ts';
import { findStripeSubscription, requireStripeSubscription } from '#server/stripe/bill-subscription.ts';
import { deleteInvoiceItem, findInvoice, previewBill } from '#server/stripe/invoices.ts';
import { hasBegunToJoin, noteJoinBegun } from '#server/stripe/queries.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { eachOf } from '#server/platform/queue/each-of.ts';
import { type Context, inTransaction, within } from '#server/platform/context.ts';
import { retryOnConflict, transaction } from '#server/platform/data/database.ts';
import { advance } from '../bill/advance.ts';
import { findAttempt, insertAdjustment, insertBill } from '../bill/queries-bills.ts';
import { readBill } from '../bill/read.ts';
import { withdrawAttempt } from '../buy/attempt.ts';
import { continueBegin } from '../buy/begin.ts';
import { queueMirror } from '../effects.ts';
import { slotsOf, type SubscriptionRow, updateRow } from '../queries.ts';
import { payersOf } from '../work-through.ts';
import { endNow, endWithPeriod, type Proration, setSeats, waitingProrations } from './at-stripe.ts';
import { commonDay, converted, decided, isBeingCharged, moves, type Old, onBillingDay, partsOf } from './decide.ts';
import { tellJoined } from './mail.ts';
import { isOld } from './old-row.ts';
import { follow } from './old-rows.ts';
import { oldRowsOf, oldRowsToRead, touchRow } from './queries-join.ts';

/**
 * Joins what an older release sold, one Stripe subscription for each tool, to one bill per payer. By state, so it may run at any time,
 * twice, and after any crash: what is decided about a row is written first, Stripe is told, and then the row takes today's form.
 */
export async function joinOneBill(context: Context): Promise<void> {
  const [any] = await oldRowsToRead(context.db, context.now(), 1);
  if (!any || !(await begin(context))) return;
  await eachOf(context, {
    find: async () => payersOf(await oldRowsToRead(context.db, plus(context.now(), -hour), 200)),
    work: ({ payer }) => joinPayer(context, payer),
    skip: async ({ payer }) => {
      for (const row of await oldRowsOf(context.db, payer)) await touchRow(context.db, row, context.now());
    },
    fault: "a payer's old subscriptions could not be joined to one bill",
  });
}

/** Before a press: where the payer has what no run has looked at since the older release went, it is joined now. */
export async function joinFirst(context: Context, payer: Payer): Promise<void> {
  if (!(await oldRowsOf(context.db, payer)).some(({ unitCents }) => unitCents === 0)) return;
  await begin(context, { atOnce: true });
  await joinPayer(context, payer);
}

/** Servers of the older release may still run beside this one for so long, in milliseconds, while an operator goes over to it. */
const rollsOverIn = 15 * minute;

/** Notes that joining begins; unless it must be `atOnce`, not while servers of the older release may still run. */
async function begin({ db, env, now }: Context, { atOnce = false } = {}): Promise<boolean> {
  if (await hasBegunToJoin(db)) return true;
  if (!atOnce && env.mode === 'production' && process.uptime() * 1000 < rollsOverIn) return false;
  await noteJoinBegun(db, now());
  return true;
}

/** Does it for one payer, as far as it can be done now. */
export async function joinPayer(context: Context, payer: Payer): Promise<void> {
  const olds = await retryOnConflict(() => decideFor(context, payer));
  // A month that Stripe is charging is followed to its end first.
  const moving = olds.some(isBeingCharged) ? [] : olds.filter(moves);
  for (const old of moving) await endAtStripe(context, old);
  await beginBill(context, payer);
  await retryOnConflict(() => transaction(context.db, (tx) => convert(within(context, tx), payer, moving)));
}

/** Has the rows follow Stripe and writes what is decided about each; null where one has changed meanwhile. */
async function decideFor(context: Context, payer: Payer): Promise<Old[] | null> {
  const olds = await readOlds(context, payer);
  const facts = await findPayerFacts(context.db, payer);
  if (!olds || !facts) return facts ? null : [];
  const { stripeCustomerId: customer } = facts;
  const waiting = customer && olds.length > 0 ? await waitingProrations(context, customer) : [];
  const waits = olds.some(isBeingCharged);
  const renewing: Old[] = [];
  for (const old of olds) {
    const join = waits ? (old.row.purchase.join ?? null) : decided(old, facts, context.now());
    if (join?.renewal) await setSeats(context, old.subscription, facts.members);
    const cents = join?.renewal ? await previewBill(context, old.subscription.id) : null;
    const renewal = join?.renewal ? { ...join.renewal, cents: cents ?? join.renewal.cents } : null;
    const purchase = { ...old.row.purchase, ...(join && { join: { ...join, renewal } }) };
    renewing.push({ ...old, row: { ...old.row, purchase } });
  }
  return transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const written: Old[] = [];
    for (const old of renewing) {
      const row = await orRefuse(writeDecision(within(context, tx), payer, old, waiting), 'conflict');
      if (isOld(row)) written.push({ ...old, row });
    }
    return written;
  });
}

/** Null where a row has changed since it was read. */
async function readOlds(context: Context, payer: Payer): Promise<Old[] | null> {
  const decisions = await priceDecisions(context.db);
  const olds: Old[] = [];
  for (const row of await oldRowsOf(context.db, payer)) {
    const read = await findStripeSubscription(context, row.stripeSubscriptionId!);
    if (!read)
      throw new AppError('subscription_unknown', {
        cause: new Error(`Stripe does not know ${row.stripeSubscriptionId}`),
      });
    const followed = await follow(context, row, read);
    if (!followed) return null;
    if (!followed.row?.isActive || !isOld(followed.row)) continue;
    const { subscription, row: current } = followed;
    const id = idOf(subscription.latest_invoice);
    const paid = current.unitCents === 0 && id ? await findInvoice(context, id) : null;
    olds.push({ row: current, subscription, paid, decisions: decisions.get(row.toolId) ?? [] });
  }
  return olds;
}

/** The row in today's form where it isn't yet, with what is decided; its waiting prorations become adjustments. */
async function writeDecision(
  inside: Context,
  payer: Payer,
  old: Old,
  all: Proration[],
): Promise<SubscriptionRow | null> {
  const { row } = old;
  const { join } = row.purchase;
  const waiting = all.filter(
    ({ id, subscription }) => subscription === row.stripeSubscriptionId && !join?.moved.includes(id),
  );
  const taken = moves(old) ? waiting : [];
  const values = row.unitCents === 0 ? converted(old, inside.now()) : {};
  const moved = [...(join?.moved ?? []), ...taken.map(({ id }) => id)];
  const purchase = { ...row.purchase, ...(join && { join: { ...join, moved } }) };
  for (const part of partsOf(old, await toolName(inside.db, row.toolId), taken))
    await insertAdjustment(inside.db, payer, { ...part, createdAt: inside.now() });
  return updateRow(inside.db, row, { ...values, purchase, syncedAt: inside.now() });
}

/** Its own Stripe subscription charges nothing more: a month ends as it was paid, a trial at once. */
async function endAtStripe(context: Context, { row }: Old): Promise<void> {
  for (const id of row.purchase.join!.moved) await deleteInvoiceItem(context, id);
  const subscription = await requireStripeSubscription(context, row.stripeSubscriptionId);
  if (subscription.status === 'trialing') await endNow(context, subscription);
  else if (subscription.status === 'active') await endWithPeriod(context, subscription);
}

/** Where the payer has no bill, makes their subscription in advance; the attempt is written before Stripe is asked. */
async function beginBill(context: Context, payer: Payer): Promise<void> {
  const attempt = await inTransaction(context, async (inside, tx) => {
    await lockPayer(tx, payer);
    const [open, reading] = [await findAttempt(tx, payer), await readBill(inside, payer)];
    const rows = (await oldRowsOf(tx, payer)).filter(isOld).map((row) => ({ row }));
    const start = reading && commonDay(rows, await slotsOf(tx, payer), reading.facts, inside.now());
    if (!start || reading.facts.nextBillAt) return null;
    if (open) return open;
    const input = { ...reading.input, payer: { ...reading.facts, nextBillAt: start, billingDay: start.getUTCDate() } };
    const bill = { ...billOf(input, start), until: plusMonths(start, 1) };
    return insertBill(tx, payer, bill, { kind: 'month', status: 'attempt', createdAt: inside.now() });
  });
  if (attempt?.kind === 'month') return continueBegin(context, attempt);
  // A purchase under way would begin a bill as well; the next run goes on.
  if (attempt) await withdrawAttempt(context, attempt);
}

/** Rows whose own Stripe subscription charges nothing more take today's form. Null where one has changed meanwhile. */
async function convert(inside: Context, payer: Payer, moving: readonly Old[]): Promise<true | null> {
  const reading = await advance(inside, payer);
  if (!reading) return true;
  const { stripeSubscriptionId } = reading.facts;
  const rows = (await oldRowsOf(inside.db, payer)).filter(isOld);
  const those = rows.filter((row) => moves({ row }) && moving.some((old) => old.row.id === row.id));
  // Without a bill, only trials go on by themselves.
  const ready = those.filter(({ status }) => status === 'trial' || stripeSubscriptionId !== null);
  for (const row of ready) {
    const id = row.status === 'trial' ? null : stripeSubscriptionId;
    const dates = onBillingDay(row, reading.facts);
    if (!(await updateRow(inside.db, row, { purchase: null, stripeSubscriptionId: id, ...dates }))) return null;
  }
  if (stripeSubscriptionId === null) return true;
  await tellJoined(inside, payer, rows);
  if (ready.length > 0) await queueMirror(inside, payer);
  return true;
}
