import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/index.ts';
import { noticeDays } from '#shared/rules/billing/own-price.ts';
import { plusDays } from '#shared/rules/billing/part-month.ts';
import { sydneyDate, sydneyMidnight } from '#shared/rules/dates.ts';
import { type MoneyMail, notify } from '#server/notifications/service.ts';
import type { Payer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { MailTable } from '#server/platform/mailer.ts';
import { queueMirror } from '../effects.ts';
import { nextOf, type Telling, tellingOf } from './next.ts';
import { isLate } from './news.ts';
import { insertTold, lastTold, noteRisesFrom, toldPage } from './queries-tell.ts';

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
    later: later && { at: later.at.toISOString(), monthCents: later.monthCents },
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
  subject?: string;
  says?: string[];
  table?: MailTable | undefined;
  after?: string[];
  footer?: string;
  /** A reminder or an offer, which the settings may switch off. */
  optional?: boolean;
  /** It reaches the app whatever the settings. */
  isAlert?: boolean;
  /** It tells the coming bill: `add` has that written here, a subscription's id without what that ends with. */
  coming?: 'said' | 'add' | { without: string };
};

/** Tells whoever pays, in the app and by mail, once for each occasion, and keeps what was told. */
export async function tell(telling: Telling, told: Tell): Promise<void> {
  const { inside, payer, facts, words } = telling;
  const { key, title, message, link, expiresAt, kind, subject = title, says = [message], after = [], coming } = told;
  const { actionUrl, actionLabel } = link ?? words.tools;
  const isAdded = coming !== undefined && coming !== 'said';
  const next = isAdded ? nextOf(telling, typeof coming === 'object' ? coming : {}) : { says: [], after: [] };
  // Below a table of its own, that of the coming bill is left out.
  const [paragraphs, below] = told.table ? [says, [...after, ...next.says]] : [[...says, ...next.says], after];
  const table = told.table ?? next.table;
  const mail = kind && {
    kind,
    subject,
    paragraphs,
    after: [...below, ...next.after],
    actionLabel,
    always: told.optional !== true,
    ...(table && { table }),
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
  const kept = { kind: kind ?? 'notice', subject, paragraphs: [...paragraphs, ...below, ...next.after] };
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
