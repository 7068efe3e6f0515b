import { verificationTokenHours } from '#shared/rules/accounts.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { consume } from '#server/platform/rate-limit.ts';
import { hashToken, newToken } from '#server/platform/tokens.ts';
import { sendVerificationMail } from './mail.ts';
import { replaceVerificationToken } from './queries.ts';

/** Mails a new link, in the caller's transaction; links mailed before stop working. */
export async function mailVerification(
  context: Context,
  user: { id: string; email: string; firstName: string },
): Promise<void> {
  const token = newToken();
  await replaceVerificationToken(
    context.db,
    user.id,
    hashToken(token),
    plus(context.now(), verificationTokenHours * hour),
  );
  await sendVerificationMail(context, user, token);
}

/** Three an hour, and none to a verified address. */
export async function resendVerification(context: Context, actor: ActorRow) {
  if (actor.emailVerified) throw new AppError('already_verified');
  await consume(context, 'resendVerification', actor.id);
  await transaction(context.db, (tx) => mailVerification(within(context, tx), actor));
  return { message: `A new verification link has been sent to ${actor.email}.` };
}
