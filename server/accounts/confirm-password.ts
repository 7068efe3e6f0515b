import type { ActorRow } from '#server/platform/actor.ts';
import { fieldError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { consume, refund } from '#server/platform/rate-limit.ts';
import { passwordHash } from './queries.ts';

export const wrongPassword = 'Your current password is incorrect.';

/**
 * Demands the password again before something that cannot be undone; answers the hash it was compared with. Failures
 * count with those of the sign-in, so that a stolen session gives no further guesses.
 */
export async function confirmPassword(
  context: Context,
  actor: ActorRow,
  field: string,
  given: string,
): Promise<string> {
  await consume(context, 'signInAddress', actor.email);
  const giveBack = () => refund(context, 'signInAddress', actor.email);
  const hash = await passwordHash(context.db, actor.id);
  // No stored password has a NUL, and bcrypt would stop reading at one.
  const possible = given.includes('\0') ? null : hash;
  const { ok } = await context.passwords.verify(given, possible).catch(async (error: unknown) => {
    // Our fault, not a wrong password.
    await giveBack().catch(() => undefined);
    throw error;
  });
  if (!ok || hash === null) throw fieldError(field, wrongPassword);
  await giveBack();
  return hash;
}
