import { forecastOf, type ForecastRow, monthlyCentsAt } from '#shared/rules/forecast.ts';
import { formatCents } from '#shared/rules/money.ts';
import { type DatedTier, tiersChangeAt } from '#shared/rules/pricing.ts';
import { knownAfter } from '#shared/rules/tiers.ts';
import {
  newestTierChange,
  noteTiersInForce,
  tierChangeNumbered,
  type TierChangeRow,
  tierSchedule,
  type TierSchedule,
} from '#server/catalogue/service.ts';
import { type MoneyMail, notify } from '#server/notifications/service.ts';
import {
  findPayerFacts,
  lockPayer,
  type Payer,
  type PayerFacts,
  payerKey,
  payerOf,
  type PayerWords,
  wordsFor,
} from '#server/payers/service.ts';
import { type Context, within } from '#server/platform/context.ts';
import { realNow } from '#server/platform/clock.ts';
import { transaction } from '#server/platform/database.ts';
import { nextCharge, refusalsFor } from '../notices/sentences.ts';
import { type SlotRow, slotsOf, toForecastRow, updateRow } from '../queries.ts';
import { queueReprice } from '../sync/effects.ts';
import { goesOn, invoiceFrom, nextInvoiceOn, tiersKnownTo } from './forecast.ts';
import { untoldOfTiers, type UntoldTiersPlace } from './queries-prices.ts';

const batch = 200;
/** A run stops after this, in milliseconds, and the next one goes on. */
const runMs = 20_000;

/**
 * Tells every payer whose prices change with the volume discounts, once, and has Stripe follow. The rows say what is still to be
 * told, so it may run at any time and twice; whoever comes back later, or was suspended, is told then.
 */
export async function announceTiers(context: Context): Promise<void> {
  await noteTiersInForce(context.db, context.now());
  const { number } = await tierSchedule(context);
  if (number === 0) return;
  const until = realNow().getTime() + runMs;
  for (let after: UntoldTiersPlace | null = null; ;) {
    const rows = await untoldOfTiers(context.db, number, after, batch);
    const payers = new Map(rows.map(payerOf).map((payer) => [payerKey(payer), payer]));
    for (const payer of payers.values()) await announceTiersTo(context, payer);
    if (rows.length < batch || realNow().getTime() > until) return;
    after = rows.at(-1)!;
  }
}

/** A price that the payer doesn't know yet: from which invoice on, and instead of what. `stays`: a rise that was told won't come. */
type Change = { at: Date; fromCents: number; toCents: number; stays: boolean };

/** Tells one payer, and writes it on the subscriptions. */
export const announceTiersTo = (context: Context, payer: Payer): Promise<void> =>
  transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const inside = within(context, tx);
    const facts = await findPayerFacts(tx, payer);
    // Whoever is charged nothing for now is told once charges go on.
    if (!facts || facts.chargesPaused) return;
    const schedule = await tierSchedule(inside);
    const newest = await newestTierChange(tx);
    const slots = await slotsOf(tx, payer);
    const untold = slots.filter((row) => goesOn(row) && tiersKnownTo(row) < schedule.number);
    if (!newest || untold.length === 0) return;
    const told: { row: SlotRow; changes: Change[] }[] = [];
    for (const row of untold) {
      const known = await knownTo(inside, row);
      const changes = changesOf(row, { inside, facts, slots, known, schedule, newest });
      const last = changes.at(-1);
      const tiers = {
        number: schedule.number,
        ...(last && { told: { cents: last.toCents, from: last.at.toISOString() } }),
      };
      if (!(await updateRow(tx, row, { purchase: { ...row.purchase!, tiers } }))) continue;
      if (changes.length > 0) told.push({ row, changes });
    }
    if (told.length === 0) return;
    await tell(inside, payer, { facts, slots, schedule, newest, told });
    await queueReprice(inside, payer);
  });

/** The volume discounts that the row's payer knows of. */
async function knownTo({ db }: Context, row: SlotRow): Promise<DatedTier[]> {
  const number = tiersKnownTo(row);
  const change = await tierChangeNumbered(db, Math.max(number, 1));
  if (!change) return [];
  return number === 0 ? change.before : knownAfter(change);
}

type Reading = {
  inside: Context;
  facts: PayerFacts;
  slots: SlotRow[];
  known: DatedTier[];
  schedule: TierSchedule;
  newest: TierChangeRow;
};

/** How the invoices to come differ from what the payer knows. */
function changesOf(row: SlotRow, { inside, facts, slots, known, schedule, newest }: Reading): Change[] {
  const now = inside.now();
  const rows = slots.map(toForecastRow);
  // A trial is priced as if there were a card already.
  const payer = { ...facts, cardOnFile: facts.cardOnFile || row.status === 'trial' };
  const own: ForecastRow = rows.find(({ id }) => id === row.id)!;
  const costAt = (at: Date, tiers: DatedTier[]) => monthlyCentsAt(own, at, { payer, tiers, rows, now });
  const next = nextInvoiceOn(row) ?? now;
  const dates = [tiersChangeAt(known, now), tiersChangeAt(schedule.tiers, now)].filter((date) => date !== null);
  const moments = [next, ...dates.map(invoiceFrom(row))].toSorted((a, b) => a.getTime() - b.getTime());
  const changes: Change[] = [];
  let before: number | null = null;
  for (const at of moments) {
    const [knownCents, toCents] = [costAt(at, known), costAt(at, schedule.tiers)];
    const fromCents: number = before ?? knownCents;
    const stays = knownCents > toCents && (fromCents === toCents || newest.withdraws !== null);
    if (toCents !== fromCents || stays) changes.push({ at, fromCents, toCents, stays });
    before = toCents;
  }
  return changes;
}

type Told = {
  facts: PayerFacts;
  slots: SlotRow[];
  schedule: TierSchedule;
  newest: TierChangeRow;
  told: { row: SlotRow; changes: Change[] }[];
};

const sentenceOf = (product: string, { at, fromCents, toCents, stays }: Change, words: PayerWords) =>
  stays
    ? `${product} does not go up on ${words.on(at)} after all: it stays ${formatCents(toCents)} a month.`
    : `On ${words.on(at)} ${product} goes from ${formatCents(fromCents)} to ${formatCents(toCents)} a month.`;

async function tell(context: Context, payer: Payer, { facts, slots, schedule, newest, told }: Told): Promise<void> {
  const words = wordsFor(payer, facts);
  const all = told.flatMap(({ changes }) => changes);
  const sentences = told.flatMap(({ row, changes }) =>
    changes.map((change) => sentenceOf(`${row.toolName}${words.whose}`, change, words)),
  );
  const raises = all.filter(({ fromCents, toCents, stays }) => !stays && toCents > fromCents);
  const first = new Date(Math.min(...(raises.length > 0 ? raises : all).map(({ at }) => at.getTime())));
  const stays = all.every((change) => change.stays);
  const subject = stays
    ? `Your volume discount${words.whose} stays as it is`
    : `Your volume discount${words.whose} changes on ${words.on(first)}`;
  const wayOut = `Until then you pay what you pay now. If you do not want a tool at that price, open ${words.toolsTab} and choose Cancel before its date: it takes two clicks, and you are never charged the new price. Fewer tools may have a smaller discount; the page says so before you decide.`;
  const forecast = forecastOf({
    payer: facts,
    tiers: schedule.tiers,
    rows: slots.map(toForecastRow),
    now: context.now(),
  });
  await notify(context, {
    userId: facts.contactId,
    type: 'subscription_renewal',
    title: stays ? 'Your volume discount stays' : 'Your volume discount changes',
    message: sentences.join(' '),
    actionUrl: words.tools.actionUrl,
    dedupeKey: `tiers:${schedule.number}:${told[0]!.row.id}`,
    mail: {
      kind: 'price-announced' satisfies MoneyMail,
      subject,
      paragraphs: [
        stays
          ? `The change of our volume discounts is taken back.`
          : 'Our discounts for several tools change. All amounts include GST.',
        ...sentences,
        `The reason: ${newest.reason}`,
        ...(raises.length > 0 ? [wayOut] : []),
        ...nextCharge(forecast, words, await refusalsFor(context, facts.contactId)),
      ],
      actionLabel: words.tools.actionLabel,
      always: true,
    },
  });
}
