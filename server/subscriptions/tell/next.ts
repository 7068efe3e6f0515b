import { type BillInput, billOf } from '#shared/rules/billing/bill.ts';
import type { Bill } from '#shared/rules/billing/bill-types.ts';
import { type Forecast, forecastOf } from '#shared/rules/billing/forecast.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { toolRefusal } from '#shared/rules/billing/subscriptions.ts';
import { type Payer, type PayerWords, toolRulesFor, wordsFor } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { MailTable } from '#server/platform/mailer.ts';
import { type BillReading, readBill } from '../bill/read.ts';
import { monthCauses } from './news.ts';
import { endingText, on, type Refusals, tableOf } from './words.ts';

export { endingText };

/** All that a payer can be told of their money, read at one moment. */
export type Telling = BillReading & {
  inside: Context;
  words: PayerWords;
  forecast: Forecast;
  /** The first later bill whose month costs another amount: its month, without parts and credit. */
  later: (Bill & { monthCents: number }) | null;
  /** What the practices of whoever pays don't allow. */
  refusals: Refusals;
  now: Date;
};

export async function tellingOf(inside: Context, payer: Payer): Promise<Telling> {
  const reading = await readBill(inside, payer);
  const { facts, input } = reading;
  const rules = await toolRulesFor(inside.db, facts.contactId);
  const refusals: Refusals = (toolId) => toolRefusal(rules, toolId);
  return { inside, ...reading, words: wordsFor(payer, facts), ...comingOf(input), refusals, now: input.now };
}

/** The forecast, with the lines of the later bill. */
export function comingOf(input: BillInput): Pick<Telling, 'forecast' | 'later'> {
  const forecast = forecastOf(input);
  const { bill, later } = forecast;
  if (!bill || !later) return { forecast, later: null };
  const billingDay = input.payer.billingDay ?? bill.at.getUTCDate();
  const payer = { ...input.payer, nextBillAt: bill.at, billingDay, creditCents: 0 };
  const lines = billOf({ ...input, payer, adjustments: [] }, later.at);
  return { forecast, later: { ...lines, monthCents: later.monthCents } };
}

export const isWanted = (lines: readonly { toolId: string }[], refusals: Refusals) =>
  lines.some(({ toolId }) => !refusals(toolId));

/** What the bill charges, when, and to which card. */
function chargeText(bill: Bill, { words: { card, whose, billingTab }, refusals }: Telling, when: string): string[] {
  const { totalCents, carriedCents, lines } = bill;
  const leftCents = bill.leftCents + (lines.length > 0 ? bill.balanceLeftCents : 0);
  const [total, day] = [formatCents(totalCents), `${on(bill.day)}${when}`];
  if (carriedCents > 0)
    return [`${formatCents(carriedCents)}${whose} is too little to charge on ${day}, and goes onto the next bill.`];
  const left = leftCents > 0 ? [`Still yours: ${formatCents(leftCents)}, taken off the next bills.`] : [];
  if (totalCents === 0) return [`Nothing is charged${whose} on ${day}.`, ...left];
  if (lines.length === 0) return [`A last ${total} is charged${card ? ` to ${card}` : whose} on ${day}.`];
  if (card) return [`We’ll charge ${total} to ${card} on ${day}.`, ...left];
  const wanted = isWanted(lines, refusals) ? `please add one on ${billingTab}` : 'what can’t be charged simply ends';
  return [`${total}${whose} is due on ${day}.`, `There is no card on file${whose}; ${wanted}.`];
}

/** What is said of the later bill, and why it differs. */
function laterText({ forecast: { bill }, later, words }: Telling): string[] {
  if (!bill || !later) return [];
  const why = monthCauses(bill.lines, later).map(({ text }) => text);
  return [
    [`From ${on(later.day)} the bill${words.whose} is ${formatCents(later.monthCents)} a month.`, ...why].join(' '),
  ];
}

/** The coming bill in words: amount first, its table, and how to stop. */
export type Next = { says: string[]; table?: MailTable; after: string[] };

/** `without`: what this subscription ends with is said already. `when`: such as `, tomorrow`. */
export function nextOf(telling: Telling, { without = '', when = '' } = {}): Next {
  const { forecast, words, refusals } = telling;
  const { bill, endings } = forecast;
  const ends = endings
    .filter(({ reason, subscriptionId }) => reason !== 'cancelled' && subscriptionId !== without)
    .map((ending) => endingText(ending, words.whose, refusals(ending.toolId)));
  if (!bill) return { says: ends.length > 0 ? ends : [`Nothing more is charged${words.whose}.`], after: [] };
  const stop = `To stop a tool, open ${words.toolsTab} and choose Cancel before that day.`;
  return {
    says: [...chargeText(bill, telling, when), ...ends],
    table: tableOf(bill),
    after: [...laterText(telling), ...(bill.lines.length > 0 ? [stop] : [])],
  };
}

/** In paragraphs: the coming bill, or what ends, or that nothing is charged. */
export function whatComesNext(telling: Telling): string[] {
  const { says, after } = nextOf(telling);
  return [...says, ...after];
}
