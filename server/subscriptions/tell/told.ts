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

type Words = { kind: string; subject: string; paragraphs: string[] };

/** Keeps the coming bill of this moment with the words that told it; `press` is the kind of what a button said. */
export async function keepTold(inside: Context, payer: Payer, words: Words): Promise<void> {
  const telling = await tellingFor(inside, payer);
  if (telling) await store(telling, words);
}

/** Reads what is to be told. A rise that the payer hears of late holds from the first day in Sydney that is 30 whole days away. */
export async function tellingFor(inside: Context, payer: Payer): Promise<Telling | null> {
  const telling = await tellingOf(inside, payer);
  const told = telling && (await lastTold(inside.db, payer));
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

const store = ({ inside, payer, facts, forecast: { bill, later }, now }: Telling, words: Words) =>
  insertTold(inside.db, payer, {
    contactId: facts.contactId,
    toldAt: now,
    billAt: bill?.at ?? null,
    totalCents: bill?.totalCents ?? null,
    lines: bill?.lines ?? [],
    parts: bill?.parts ?? [],
    later: later && { at: later.at.toISOString(), monthCents: later.monthCents },
    ...words,
  });

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
  /** It tells the coming bill: `add` has that written here, a subscription's id without what that ends with. */
  coming?: 'said' | 'add' | { without: string };
};

/** Tells whoever pays, in the app and by mail, and keeps what was told of the coming bill. False where it was told before. */
export async function tell(telling: Telling, told: Tell): Promise<boolean> {
  const { inside, facts, words } = telling;
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
  const isNew = await notify(inside, {
    userId: facts.contactId,
    type: 'subscription_renewal',
    title,
    message,
    actionUrl,
    dedupeKey: key,
    ...(expiresAt && { expiresAt }),
    ...(mail && { mail }),
  });
  if (isNew && mail && coming !== undefined)
    await store(telling, { kind: mail.kind, subject, paragraphs: [...paragraphs, ...mail.after] });
  return isNew;
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
