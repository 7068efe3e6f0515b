import type { Bookkeeper } from '#shared/api/books.ts';
import { day, formatSydneyDate, plus } from '#shared/rules/dates.ts';
import { audit } from '#server/audit/service.ts';
import { notify } from '#server/notifications/service.ts';
import {
  columnsOf,
  lockPayer,
  type Payer,
  payerFor,
  payerOf,
  requirePayerFacts,
  subjectOf,
} from '#server/payers/service.ts';
import { lockActor } from '#server/people/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import { consume, consumeByAddress, refundByAddress } from '#server/platform/http/rate-limit.ts';
import { mailQuestion } from './mails.ts';
import {
  type BookkeeperRow,
  confirm,
  deleteBookkeeper,
  deleteBookkeeperById,
  findBookkeeper,
  findByToken,
  putBookkeeper,
} from './queries.ts';
import { readerIn } from '#server/platform/stop-links.ts';

/** For so many days the mailed link confirms. */
const linkDays = 7;

const shown = ({ email, askedAt, confirmedAt }: BookkeeperRow): Bookkeeper => ({ email, askedAt, confirmedAt });

export async function bookkeeperOf(context: Context, payer: Payer): Promise<Bookkeeper | null> {
  const found = await findBookkeeper(context.db, payer);
  return found && shown(found);
}

/** Asks an address, by a link mailed to it, to confirm that it gets copies. One that has confirmed already is left alone. */
export async function askBookkeeper(
  context: Context,
  actor: ActorRow,
  { teamId, email }: { teamId?: string | undefined; email: string },
): Promise<Bookkeeper> {
  const payer = await payerFor(context, actor, teamId);
  if (!actor.emailVerified) throw new AppError('verify_first');
  const { email: own, name } = await requirePayerFacts(context.db, payer);
  if (email === own.toLowerCase())
    throw fieldError('email', 'This address gets them already. Please enter another one.');
  const before = await findBookkeeper(context.db, payer);
  if (before?.email === email && before.confirmedAt) return shown(before);
  await consume(context, 'bookkeeperAsker', actor.id);
  await consume(context, 'bookkeeperAddress', email);
  const token = newToken();
  return inTransaction(context, async (inside, tx) => {
    await lockPayer(tx, payer);
    await lockActor(tx, actor);
    await payerFor(inside, actor, teamId);
    const row = { email, token: hashToken(token), askedAt: inside.now() };
    const added = await putBookkeeper(tx, payer, row);
    await mailQuestion(inside, added, {
      name: name.trim(),
      asker: `${actor.firstName} ${actor.lastName}`.trim(),
      token,
    });
    await audit(inside, 'billing.bookkeeper_asked', { ...subjectOf(payer), after: { bookkeeperId: added.id } });
    return shown(added);
  });
}

export const removeBookkeeper = (context: Context, payer: Payer): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    await lockPayer(tx, payer);
    await endBookkeeper(inside, payer);
  });

/** Sends the payer's bookkeeper no more copies, if asked since that moment. */
export async function endBookkeeper(inside: Context, payer: Payer, since?: Date): Promise<void> {
  const removed = await deleteBookkeeper(inside.db, payer, since);
  if (removed)
    await audit(inside, 'billing.bookkeeper_removed', { ...subjectOf(payer), before: { bookkeeperId: removed.id } });
}

/** Tells whoever pays what the holder of the address has done. */
async function tellPayer(inside: Context, row: BookkeeperRow, title: string, message: string): Promise<void> {
  const { contactId } = await requirePayerFacts(inside.db, payerOf(row));
  const { teamId } = columnsOf(payerOf(row));
  await notify(inside, {
    userId: contactId,
    title,
    message,
    actionUrl: teamId === null ? '/dashboard?tab=billing' : `/teams?team=${teamId}&tab=billing`,
    dedupeKey: `bookkeeper:${row.id}:${title}`,
    mail: { kind: 'bookkeeper', actionLabel: 'Open Billing' },
  });
}

/** `POST /api/bookkeeper/confirm`: the holder of the mailbox agrees. Pressing again changes nothing. */
export async function confirmBookkeeper(context: Context, token: string): Promise<{ message: string }> {
  await consumeByAddress(context, 'tokenIp');
  const now = context.now();
  const found = await findByToken(context.db, hashToken(token), plus(now, -linkDays * day));
  if (!found) throw new AppError('email_link_invalid');
  const { name } = await requirePayerFacts(context.db, payerOf(found));
  await inTransaction(context, async (inside, tx) => {
    if (!(await confirm(tx, found.id, now))) return;
    const what = `${found.email} agreed to get copies of the receipts and tax invoices of ${name.trim()}, paid from ${formatSydneyDate(found.askedAt)} on.`;
    await tellPayer(inside, found, 'Your bookkeeper’s address is confirmed', what);
    await audit(inside, 'billing.bookkeeper_confirmed', {
      ...subjectOf(payerOf(found)),
      actorId: null,
      after: { bookkeeperId: found.id },
    });
  });
  await refundByAddress(context, 'tokenIp');
  return { message: `Receipts and tax invoices of ${name.trim()} now come to ${found.email}, too.` };
}

/** `POST /api/bookkeeper/stop`: repeating it is fine. Whoever pays is told. */
export async function stopBookkeeper(context: Context, token: string | undefined): Promise<{ message: string }> {
  const id = readerIn(context, 'bookkeeper', token);
  if (id === null) throw new AppError('email_link_invalid');
  await inTransaction(context, async (inside, tx) => {
    const removed = await deleteBookkeeperById(tx, id);
    if (!removed) return;
    const what = `${removed.email} asked for no more emails, so copies of your receipts and tax invoices no longer go there.`;
    await tellPayer(inside, removed, 'Your bookkeeper gets no more copies', what);
    await audit(inside, 'billing.bookkeeper_removed', {
      ...subjectOf(payerOf(removed)),
      actorId: null,
      before: { bookkeeperId: id },
    });
  });
  return { message: 'You won’t get any more of these emails.' };
}
