import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/index.ts';
import { laterTable, monthFrom } from '#shared/rules/billing/bill-table.ts';
import type { Bill } from '#shared/rules/billing/bill-types.ts';
import { type Ending, forecastOf } from '#shared/rules/billing/forecast.ts';
import { cardName, formatCents } from '#shared/rules/billing/money.ts';
import { noticeDays } from '#shared/rules/billing/own-price.ts';
import { toolRefusal } from '#shared/rules/billing/subscriptions.ts';
import { formatDate, plusDays, sydneyDate, sydneyMidnight } from '#shared/rules/dates.ts';
import { type MoneyMail, notify } from '#server/notifications/service.ts';
import { columnsOf, type Payer, practices } from '#server/payers/service.ts';
import { type MailSubject, mailSubject } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';
import type { MailTable } from '#server/platform/mail-content.ts';
import { insertTold, lastTold, toldPage } from '../bill/queries-bills.ts';
import { type BillReading, readBill } from '../bill/read.ts';
import { queueMirror } from '../effects.ts';
import { noteRisesFrom } from '../queries-due.ts';
import { isLate, monthCauses, othersOf, type Told } from './news.ts';
import { on, partsNote, rowsOf, type Refusal, type Refusals, refused, tableOf, upper } from './words.ts';

/** The pages of a payer, and what texts call them: an adviser's on the dashboard, a team's on its own page. */
const pagesOf = (teamId: string | null) =>
  teamId === null
    ? {
        tools: { actionUrl: '/dashboard?tab=billing', actionLabel: 'Open Billing' },
        billing: { actionUrl: '/dashboard?tab=billing', actionLabel: 'Open Billing' },
        toolsTab: 'Billing on your dashboard',
        billingTab: 'your Billing tab',
      }
    : {
        tools: { actionUrl: `/teams?team=${teamId}&tab=tools`, actionLabel: 'Open team tools' },
        billing: { actionUrl: `/teams?team=${teamId}&tab=billing`, actionLabel: 'Open team billing' },
        toolsTab: 'Tools on the team’s page',
        billingTab: 'the team’s Billing tab',
      };

/** How notices and mails name a payer, its pages and its card, with dates in the calendar of whoever reads them. */
function wordsFor(payer: Payer, { teamName, card, zone }: BillReading['facts']) {
  return {
    ...pagesOf(columnsOf(payer).teamId),
    on: (date: Date | null) => (date ? formatDate(date, zone) : ''),
    /** Follows the name of what is paid for; empty for the adviser's own. */
    whose: teamName === null ? '' : ` for ${teamName}`,
    card: card && `${teamName === null ? 'your' : `${teamName}’s`} ${cardName(card)}`,
  };
}

/** All that a payer can be told of their money, read at one moment. */
export async function tellingOf(inside: Context, payer: Payer) {
  const reading = await readBill(inside, payer);
  const { facts, input } = reading;
  const rules = await practices.toolRulesFor(inside.db, facts.contactId);
  // What the practices of whoever pays don't allow.
  const refusals: Refusals = (toolId) => toolRefusal(rules, toolId);
  return { inside, ...reading, words: wordsFor(payer, facts), forecast: forecastOf(input), refusals, now: input.now };
}
export type Telling = Awaited<ReturnType<typeof tellingOf>>;

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

/** Why a bill's month differs from another, in one paragraph. */
const whyOf = (...bills: Parameters<typeof monthCauses>) =>
  monthCauses(...bills)
    .map(({ text }) => text)
    .join(' ');

/** The later bill in words or, where it has parts of months, too, as a table; and why it differs. */
function laterOf({ forecast: { bill, later }, words }: Telling): { says: string[]; secondTable?: MailTable } {
  if (!bill || !later) return { says: [] };
  const why = whyOf(bill.lines, later);
  const table = laterTable(later);
  if (!table)
    return { says: [[`${upper(monthFrom(on(later.day), later, `the bill${words.whose}`))}.`, why].join(' ').trim()] };
  const [month, ...parts] = rowsOf(table.rows);
  const total = {
    label: `Bill of ${on(later.day)}`,
    note: `From ${on(later.until)}: ${formatCents(later.monthCents)} a month`,
    amount: formatCents(table.totalCents),
  };
  return {
    says: [],
    secondTable: { heading: 'The bill after it', rows: [{ ...month!, note: why }, ...parts], total },
  };
}

/** What ends by itself. Whoever is refused the tool is not asked to keep it. */
export function endingText(
  { toolName, at, reason, monthlyCents }: Ending,
  whose: string,
  refusal: Refusal | null,
): string {
  const product = `${toolName}${whose}`;
  if (reason === 'cancelled') return `${product} was cancelled and ends on ${on(at)}. Nothing more is charged for it.`;
  if (reason === 'auto_renew_off')
    return `${product} ends on ${on(at)}, because auto-renew is off. Nothing more is charged for it.`;
  if (refusal)
    return `Your free trial of ${product} ends on ${on(at)}, and nothing is charged. ${refused('it', refusal)}, so there is nothing you have to do.`;
  return `Your free trial of ${product} ends on ${on(at)}. Add a card to keep it for ${formatCents(monthlyCents)} a month, GST included; without one it simply ends, and nothing is charged.`;
}

/** The coming bill in words: amount first, its table, and how to stop. */
export type Next = { says: string[]; table?: MailTable; secondTable?: MailTable; after: string[] };

/** `without`: what this subscription ends with is said already. `when`: such as `, tomorrow`. `tabled`: a table has the figures. */
type How = { without?: string; when?: string; tabled?: boolean; stop?: boolean };

export function nextOf(telling: Telling, { without = '', when = '', tabled = false, stop = true }: How = {}): Next {
  const { forecast, words, refusals } = telling;
  const { bill, endings } = forecast;
  const ends = endings
    .filter(({ reason, subscriptionId }) => reason !== 'cancelled' && subscriptionId !== without)
    .map((ending) => endingText(ending, words.whose, refusals(ending.toolId)));
  if (!bill) return { says: ends.length > 0 ? ends : [`Nothing more is charged${words.whose}.`], after: [] };
  const [today, last] = [sydneyDate(telling.now), plusDays(bill.day, -1)];
  const way = `To stop a tool, open ${words.toolsTab} and choose Cancel ${last > today ? `by ${on(last)}` : 'today'}.`;
  const { says: later, ...tableOfLater }: ReturnType<typeof laterOf> = tabled ? { says: [] } : laterOf(telling);
  return {
    says: [...chargeText(bill, telling, when).slice(tabled ? 1 : 0), ...ends],
    table: tableOf(bill, { paidTools: forecast.paidTools.next }),
    ...tableOfLater,
    after: [...later, ...(stop && bill.lines.length > 0 ? [way] : [])],
  };
}

/** In paragraphs: the coming bill, or what ends, or that nothing is charged. */
export function whatComesNext(telling: Telling, how: How = {}): string[] {
  const { says, secondTable, after } = nextOf(telling, how);
  const later = secondTable?.total
    ? [`${secondTable.total.label}: ${secondTable.total.amount}. ${secondTable.total.note!}.`]
    : [];
  return [...says, ...later, ...after];
}

/** `Your next bill falls from $94.50 to $89.25.`, where it is the one that they were told of. */
export function fromTo({ forecast: { bill } }: Telling, told: Told | null): string[] {
  if (!bill || !told?.billAt || sydneyDate(told.billAt) !== bill.day) return [];
  const [before, after] = [told.totalCents, bill.totalCents];
  if (before === null || before === after) return [];
  return [`Your next bill ${after < before ? 'falls' : 'rises'} from ${formatCents(before)} to ${formatCents(after)}.`];
}

/** The bills to come, a row each, where a card pays the next one; or else in words how that changes. */
async function comingBills(telling: Telling): Promise<{ says: string[]; table?: MailTable | undefined }> {
  const { inside, payer, forecast, words } = telling;
  const { bill, later } = forecast;
  const told = await lastTold(inside.db, payer);
  const change = fromTo(telling, told);
  const why = bill && change.length > 0 ? whyOf(told!.lines, bill) : '';
  if (!bill || !words.card || bill.totalCents === 0 || bill.lines.length === 0)
    return { says: change.map((sentence) => `${sentence} ${why}`.trim()) };
  const was = change.length > 0 ? ` It was ${formatCents(told!.totalCents!)}. ${why}${othersOf(told!, bill)}` : '';
  const parts = later && laterTable(later);
  const month = later && {
    label: `From ${on(parts ? later.until : later.day)}, a month`,
    note: whyOf(bill.lines, later) || null,
    cents: later.monthCents,
  };
  const rows = rowsOf([
    { label: `Bill of ${on(bill.day)}`, note: `To ${words.card}.${was}`.trim(), cents: bill.totalCents },
    ...(parts ? [{ label: `Bill of ${on(later.day)}`, note: partsNote(parts.rows), cents: parts.totalCents }] : []),
    ...(month ? [month] : []),
  ]);
  return { says: [], table: { rows } };
}

/** Reads what is to be told. A rise that the payer hears of late holds from the first day in Sydney that is 30 whole days away. */
export async function tellingFor(inside: Context, payer: Payer): Promise<Telling> {
  const telling = await tellingOf(inside, payer);
  const told = await lastTold(inside.db, payer);
  if (!told || telling.facts.chargesPaused) return telling;
  const { slots, input, now } = telling;
  // A whole day: who is not told yet is looked at again within minutes.
  const from = sydneyMidnight(plusDays(sydneyDate(now), noticeDays + 1));
  const late = slots.filter(({ id, periodStart }) => {
    const row = input.rows.find((one) => one.id === id);
    return row && row.price.risesFrom?.getTime() !== from.getTime() && isLate({ ...row, periodStart }, told, now);
  });
  if (late.length === 0) return telling;
  for (const { id } of late) await noteRisesFrom(inside.db, id, from);
  await queueMirror(inside, payer);
  return tellingOf(inside, payer);
}

type Words = { kind: string; subject: string; paragraphs: string[] };

/** Keeps the coming bill with the words that told it. */
export const keepBill = ({ inside, payer, facts, forecast: { bill, later }, now }: Telling, words: Words) =>
  insertTold(inside.db, payer, {
    contactId: facts.contactId,
    toldAt: now,
    ...(bill && { billAt: bill.at, totalCents: bill.totalCents, lines: bill.lines, parts: bill.parts }),
    later: later && { at: later.at.toISOString(), monthCents: later.monthCents, parts: later.parts },
    ...words,
  });

/** Keeps words about money that say nothing of the coming bill: the payer still knows of that what they were told before. */
export const keepWords = (inside: Context, payer: Payer, contactId: string, words: Words) =>
  insertTold(inside.db, payer, { contactId, toldAt: inside.now(), tellsBill: false, ...words });

export type Tell = {
  /** Identifies the occasion, so that it is told once. */
  key: string;
  title: string;
  /** In the app; the mail's first paragraph unless `says` has its own. */
  message: string;
  /** Where it leads; to the payer's tools where left out. */
  link?: { actionUrl: string; actionLabel: string };
  expiresAt?: Date;
  /** Without a kind there is no mail. */
  kind?: MoneyMail;
  subject?: MailSubject;
  says?: string[];
  table?: MailTable | undefined;
  secondTable?: MailTable | undefined;
  after?: string[];
  footer?: string;
  /** A reminder or an offer, which the settings may switch off. */
  optional?: boolean;
  /** It reaches the app whatever the settings. */
  isAlert?: boolean;
  /** It tells the coming bill: `add` has that written here, in words; a subscription's id without what that ends with. */
  coming?: 'said' | 'add' | { without: string };
};

/** Tells whoever pays, in the app and by mail, once for each occasion, and keeps what was told. */
export async function tell(telling: Telling, told: Tell): Promise<void> {
  const { inside, payer, facts, words } = telling;
  const { key, title, message, link, expiresAt, kind, says = [message], after = [], coming } = told;
  const { actionUrl, actionLabel } = link ?? words.tools;
  const isAdded = coming !== undefined && coming !== 'said';
  const bills = isAdded && !told.table ? await comingBills(telling) : { says: [], table: undefined };
  const without = typeof coming === 'object' ? coming.without : '';
  const stop = kind !== 'cancelled' && kind !== 'trial-started';
  const next = isAdded ? whatComesNext(telling, { without, tabled: bills.table !== undefined, stop }) : [];
  const { table = bills.table, secondTable } = told;
  const paragraphs = table ? says : [...says, ...bills.says, ...next];
  const below = table ? [...after, ...next] : after;
  const subject = told.subject ?? mailSubject`${title}`;
  // A subject may be cut; a mail doesn't say its heading twice.
  const heading = subject.includes('…') ? title : subject;
  const mail = kind && {
    kind,
    subject,
    heading,
    paragraphs: paragraphs.filter((paragraph) => paragraph !== `${heading}.`),
    after: below,
    actionLabel,
    always: told.optional !== true,
    ...(table && { table }),
    ...(secondTable && { secondTable }),
    ...(told.footer !== undefined && { footer: told.footer }),
  };
  const isHeard = await notify(inside, {
    userId: facts.contactId,
    type: told.isAlert === true ? 'system_alert' : 'subscription_renewal',
    title,
    message,
    actionUrl,
    dedupeKey: key,
    ...(expiresAt && { expiresAt }),
    ...(mail && { mail }),
  });
  if (!isHeard) return;
  const kept = { kind: kind ?? 'notice', subject, paragraphs: [...paragraphs, ...below] };
  await (coming === undefined ? keepWords(inside, payer, facts.contactId, kept) : keepBill(telling, kept));
}

const perPage = 20;

/** `GET /api/billing/told`: what the payer was told of their bills, newest first. */
export async function toldOf(
  context: Context,
  payer: Payer,
  page: number,
): Promise<Reply<typeof contract.billing.told>> {
  const { told, total } = await toldPage(context.db, payer, page, perPage);
  return { told, pagination: { page, total, totalPages: Math.ceil(total / perPage) } };
}
