import { resetTokenHours } from '#shared/rules/accounts.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { consume } from '#server/platform/rate-limit.ts';
import { hashToken, newToken } from '#server/platform/tokens.ts';
import { sendReset } from './mail.ts';
import { accountByEmail, lockUser } from './queries.ts';
import { endResetTokens, insertResetToken } from './queries-reset.ts';

export const resetJob = 'mail-reset-link';

/**
 * Asks for a reset link. The request does the same for every address, known or not: one limit, one job. Whether there is
 * an account is looked up by the job, so that no answer and no timing tells (decisions §3).
 */
export async function forgotPassword(context: Context, email: string): Promise<void> {
  await consume(context, 'forgotAddress', email);
  await context.queue.send(context.db, resetJob, { email });
}

/** Mails the link, if there is an open account; older links stop working. */
export async function mailResetLink(context: Context, email: string): Promise<void> {
  await transaction(context.db, async (tx) => {
    const account = await accountByEmail(tx, email);
    const user = account && (await lockUser(tx, account.actor.id));
    if (!user || user.closedAt !== null) return;
    const token = newToken();
    const now = context.now();
    await endResetTokens(tx, user.id);
    await insertResetToken(tx, {
      userId: user.id,
      token: hashToken(token),
      expiresAt: plus(now, resetTokenHours * hour),
      createdAt: now,
    });
    await sendReset(within(context, tx), user, token);
  });
}
