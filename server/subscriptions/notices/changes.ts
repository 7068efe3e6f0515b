import { createHash } from 'node:crypto';
import { day, hour, minute, plus, plusMonths } from '#shared/rules/dates.ts';
import type { Forecast, ForecastCharge } from '#shared/rules/forecast.ts';
import { formatCents } from '#shared/rules/money.ts';
import { graceMs } from '#shared/rules/subscriptions.ts';
import type { PriceTold } from '#shared/schema/subscriptions.ts';
import { type MoneyMail, type Notice, notify } from '#server/notifications/service.ts';
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
import { transaction } from '#server/platform/database.ts';
import { forecastFor } from '../price/forecast.ts';
import { type SlotRow, slotsOf } from '../queries.ts';
import { notePriceTold, noteTold, rowsToTell } from './queries-reminders.ts';
import { dueCents } from './reminders.ts';
import {
  afterwards,
  cannotPay,
  freeEnded,
  howToStop,
  monthlyOf,
  nextCharge,
  partsOf,
  type Refusals,
  refusalsFor,
  whyPriceChanged,
} from './sentences.ts';

/** What a payer is told of: all read at one moment, under the payer's lock. */
type Told = {
  payer: Payer;
  facts: PayerFacts;
  words: PayerWords;
  forecast: Forecast;
  rows: SlotRow[];
  refusals: Refusals;
  now: Date;
};

/** In grace, and the payer has not been told. */
const isUntold = ({ status, told, gracePeriodEnd }: SlotRow) =>
  status === 'grace_period' && told?.at !== gracePeriodEnd?.toISOString();
/** Free access has ended: nothing was charged, so nothing has failed. */
const wasFree = (row: SlotRow) => row.paymentProblem?.invoiceId === '';

/**
 * Tells payers of prices that changed, free access that ended and payments that failed: one notice and mail of each kind a day
 * for a payer, with everything there is. It may run at any time and twice, since the rows say what is still to be told.
 */
export async function tellChanges(context: Context): Promise<void> {
  for (let after: string | null = null; ;) {
    const rows = await rowsToTell(context.db, after);
    if (rows.length === 0) return;
    const payers = new Map(rows.map((row) => [row.userId ?? row.teamId, payerOf(row)]));
    for (const payer of payers.values()) await tellChangesOf(context, payer);
    after = rows.at(-1)!.id;
  }
}

/** The same for one payer. */
export async function tellChangesOf(context: Context, payer: Payer): Promise<void> {
  const found = await slotsOf(context.db, payer);
  if (!found.some((row) => row.priceTold !== null || isUntold(row))) return;
  await transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const inside = within(context, tx);
    const facts = await findPayerFacts(tx, payer);
    // What changed while nothing is charged is told once charges go on.
    if (!facts || facts.chargesPaused) return;
    const told: Told = {
      payer,
      facts,
      words: wordsFor(payer, facts),
      forecast: await forecastFor(inside, payer),
      rows: await slotsOf(tx, payer),
      refusals: await refusalsFor(inside, facts.contactId),
      now: context.now(),
    };
    await tellFailures(inside, told);
    await tellPrices(inside, told);
  });
}

type Text = Omit<Notice, 'userId' | 'type' | 'dedupeKey' | 'mail' | 'actionUrl'> & {
  kind: MoneyMail;
  subject: string;
  paragraphs: string[];
  /** Where it leads; to billing where left out. */
  link?: PayerWords['billing'];
};

/** Once a day for a payer; what can't wait until tomorrow is told all the same. False where it has to wait. */
async function tellOnceADay(context: Context, told: Told, text: Text, urgent: boolean): Promise<boolean> {
  const { payer, facts, words, now } = told;
  const { kind, subject, paragraphs, link = words.billing, ...inApp } = text;
  const notice = {
    userId: facts.contactId,
    type: 'subscription_renewal' as const,
    ...inApp,
    actionUrl: link.actionUrl,
    mail: { kind, subject, paragraphs, actionLabel: link.actionLabel, always: true },
  };
  const key = `${kind}:${payerKey(payer)}:${words.on(now)}`;
  if (await notify(context, { ...notice, dedupeKey: key })) return true;
  const content = createHash('sha256').update(paragraphs.join('\n')).digest('hex');
  return urgent && (await notify(context, { ...notice, dedupeKey: `${key}:${content}` }));
}

/** When the row was renewed, while that invoice is still a draft or just being tried; null for any other row. */
function renewingSince(row: SlotRow, now: Date): Date | null {
  const { status, stripeSubscriptionId, endDate, createdAt, billingDay } = row;
  if (!stripeSubscriptionId || !endDate || status !== 'active' || createdAt > plus(now, -day)) return null;
  const began = plusMonths(endDate, -1, billingDay);
  return began > plus(now, -70 * minute) ? began : null;
}

/** Whether its payment may also fail within the hour. */
function isAboutToBeCharged(row: SlotRow, now: Date): boolean {
  const { status, stripeSubscriptionId, autoRenew, endDate } = row;
  if (!stripeSubscriptionId || (status !== 'active' && status !== 'trial')) return false;
  return renewingSince(row, now) !== null || (autoRenew && endDate !== null && endDate < plus(now, hour));
}

async function tellFailures(context: Context, told: Told): Promise<void> {
  const { words, rows, forecast, refusals, now } = told;
  const failed = rows.filter((row) => isUntold(row) && row.paymentProblem && !wasFree(row));
  if (failed.length === 0) return;
  const until = new Date(Math.min(...failed.map(({ gracePeriodEnd }) => gracePeriodEnd!.getTime())));
  const isNew = plus(until, -graceMs) > plus(now, -3 * hour);
  if (isNew && rows.some((row) => isAboutToBeCharged(row, now))) return;
  const owed = failed.reduce((sum, { paymentProblem }) => sum + paymentProblem!.amountCents, 0);
  const sentences = failed.map(({ toolName, paymentProblem }) => {
    const { amountCents, reason, needsAction } = paymentProblem!;
    const outcome = needsAction ? 'is waiting for you' : 'failed';
    return `The payment of ${formatCents(amountCents)} for ${toolName}${words.whose} ${outcome}. ${reason}`;
  });
  const payable = failed.filter(({ toolId }) => !refusals(toolId));
  const access = payable.length > 0 ? [`You keep access until ${words.on(until)}.`] : [];
  const ends = failed.flatMap((row) => {
    const refusal = refusals(row.toolId);
    return refusal ? [cannotPay(row.toolName, refusal, words.on(row.gracePeriodEnd))] : [];
  });
  const what = failed.length === 1 ? failed[0]!.toolName : `${failed.length} tools`;
  const waits = failed.every(({ paymentProblem }) => paymentProblem!.needsAction);
  const isTold = await tellOnceADay(
    context,
    told,
    {
      kind: 'payment-failed',
      title: waits ? 'Payment is waiting for you' : 'Payment failed',
      message: [...sentences, ...access, ...ends].join(' '),
      link: payable.length > 0 ? words.billing : words.tools,
      subject: `The payment of ${formatCents(owed)} for ${what}${words.whose} ${waits ? 'is waiting for you' : 'failed'}`,
      paragraphs: [
        ...sentences,
        ...(failed.length > 1 ? [`Together ${formatCents(owed)}.`] : []),
        ...(words.card ? [[`The card on file is ${words.card}.`, ...access].join(' ')] : access),
        ...(payable.length > 0
          ? [
              `Pay now or add another card on ${words.billingTab} by ${words.on(until)}; otherwise the subscription ends, and nothing more is charged.`,
            ]
          : []),
        ...ends,
        `To end it yourself, open ${words.toolsTab} and choose Cancel; it takes two clicks.`,
        ...nextCharge(forecast, words, refusals),
      ],
    },
    false,
  );
  if (isTold) await noteAllTold(context, failed);
}

async function noteAllTold({ db }: Context, rows: SlotRow[]): Promise<void> {
  for (const { id, gracePeriodEnd, paymentProblem } of rows)
    await noteTold(db, id, { at: gracePeriodEnd!.toISOString(), days: 7, cents: paymentProblem?.amountCents ?? 0 });
}

async function tellPrices(context: Context, told: Told): Promise<void> {
  const { words, rows, forecast, refusals } = told;
  const free = rows.filter((row) => isUntold(row) && wasFree(row));
  const changed = rows.filter(({ priceTold }) => priceTold !== null);
  const changes = changed.flatMap((row) => changeOf(row, row.priceTold!, told) ?? []);
  const urgent = free.length > 0 || changes.some((change) => change.urgent);
  // Once the debt is paid, the other tools cost what they did.
  if (!urgent && unpaidOf(rows).length > 0) return;
  const sentences = [
    ...free.map((row) => freeEnded(row, words, refusals(row.toolId))),
    ...changes.map(({ sentence }) => sentence),
  ];
  if (sentences.length > 0) {
    const names = [...free, ...changes.map(({ row }) => row)].map(({ toolName }) => toolName);
    const what = names.length === 1 ? names[0] : `${names.length} tools`;
    const text = {
      message: sentences.join(' '),
      paragraphs: [
        ...sentences,
        ...nextCharge(forecast, words, refusals),
        ...(forecast.next ? ['All amounts include GST.', howToStop(words)] : []),
      ],
    };
    const isTold =
      free.length > 0
        ? await tellOnceADay(
            context,
            told,
            {
              ...text,
              kind: 'free-access-ended',
              title: 'Free access ended',
              subject: `Free access to ${what} has ended`,
            },
            urgent,
          )
        : await tellOnceADay(
            context,
            told,
            {
              ...text,
              kind: 'price-changed',
              title: 'Price changed',
              subject: `The price of ${what}${words.whose} changes`,
            },
            urgent,
          );
    if (!isTold) return;
  }
  await noteAllTold(context, free);
  for (const row of changed) await notePriceTold(context.db, row, dueCents(row));
}

/**
 * What a month costs now, and when that is charged first; null where it never will be. Discounts still reach a renewal that waits
 * as a draft; a member who joins or leaves meanwhile does not.
 */
function priceOf(row: SlotRow, { forecast }: Told): { at: Date; cents: number; charge?: ForecastCharge } | null {
  const isOfRow = ({ subscriptionId }: { subscriptionId: string }) => subscriptionId === row.id;
  const charges = forecast.charges.filter(isOfRow);
  const charge = charges.find((one) => monthlyOf(one) === row.monthlyCents) ?? charges.at(-1);
  if (charge) return { at: charge.at, cents: monthlyOf(charge), charge };
  const trialEnd = forecast.endings.find((ending) => isOfRow(ending) && ending.reason === 'trial_without_card');
  if (trialEnd) return { at: trialEnd.at, cents: trialEnd.monthlyCents };
  const renewsFree = row.autoRenew && row.monthlyCents === 0;
  // A draft that charges anything is in the forecast, so this one charges nothing.
  const freeSince = row.draft ? new Date(row.draft.at) : row.endDate;
  const at =
    row.status === 'grace_period' && row.endDate ? plusMonths(row.endDate, 1, row.billingDay) : renewsFree && freeSince;
  return at ? { at, cents: row.monthlyCents } : null;
}

/** What has become of a price since it was told; null where it is the same, or won't be charged. */
function changeOf(row: SlotRow, before: PriceTold, told: Told) {
  const { words, now } = told;
  const price = priceOf(row, told);
  // Free months were told when they were given.
  if (!price || (row.monthlyCents === 0 && row.freeMonths)) return null;
  const { at, cents, charge } = price;
  const prorations = charge?.lines.filter(({ kind }) => kind === 'proration') ?? [];
  const prorated = charge !== undefined && prorations.length > 0;
  const sameAsBefore = !prorated || prorations.reduce((sum, one) => sum + one.cents, 0) === before.prorationCents;
  if (cents === before.monthlyCents && sameAsBefore) return null;
  const why = whyPriceChanged(row, before, unpaidOf(told.rows));
  const product = `${row.toolName}${words.whose}`;
  const cost = cents === 0 ? 'nothing' : `${formatCents(cents)} a month`;
  const sentence = [
    cents === before.monthlyCents
      ? `Members of your team changed, and ${product} continues to cost ${cost}.`
      : `${product} costs ${cost} from ${words.on(at)}, instead of ${formatCents(before.monthlyCents)} a month, because ${why}.`,
    prorated
      ? ` On ${words.on(at)} ${formatCents(charge.totalCents)} is charged${partsOf(charge, words)}, because members joined or left during the month.`
      : '',
    charge ? afterwards(charge, words) : '',
  ].join('');
  const isSoon = at < plus(now, 1.5 * day) || isAboutToBeCharged(row, now);
  return { row, sentence, urgent: isSoon || why.includes('free access') };
}

const unpaidOf = (rows: SlotRow[]) => rows.filter((row) => row.status === 'grace_period' && !wasFree(row));
