import type { Request } from 'express';
import type { User } from '#shared/api/accounts.ts';
import { normaliseEmail } from '#shared/rules/accounts.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { clientAddress, consume, refund } from '#server/platform/rate-limit.ts';
import { accountByEmail, replaceHash } from './queries.ts';

export { setPasswordFor } from './admin-reset.ts';

const listOf = (json: string | null) => (json === null ? [] : (JSON.parse(json) as string[]));

/** The user as sent: lists are arrays on the wire, JSON text in the table; the endpoint drops what is not listed. */
export const toUser = (actor: ActorRow): User => ({
  ...actor,
  professionalCredentials: listOf(actor.professionalCredentials),
  specializationAreas: listOf(actor.specializationAreas),
});

/**
 * The open account behind an address and a password, or null. Failures are counted per IP and per address before the
 * password is looked at; an unknown account costs the same time as a wrong password (decisions §3, §16).
 */
export async function checkPassword(
  context: Context,
  typedEmail: string,
  password: string,
  request: Request,
): Promise<ActorRow | null> {
  const email = normaliseEmail(typedEmail);
  const address = clientAddress(context, request);
  // By IP first: who is over that limit can no longer use up the tries of other people's addresses.
  if (address !== null) await consume(context, 'signInIp', address);
  await consume(context, 'signInAddress', email);
  const giveBack = async () => {
    if (address !== null) await refund(context, 'signInIp', address);
    await refund(context, 'signInAddress', email);
  };

  const result = await verify(context, email, password).catch(async (error: unknown) => {
    // Our fault, not a wrong password; whatever happens to the refund, the first fault is the one to tell.
    await giveBack().catch(() => undefined);
    throw error;
  });
  if (result) await giveBack();
  return result;
}

async function verify(context: Context, email: string, password: string): Promise<ActorRow | null> {
  // Postgres refuses NUL in text, and no stored password has one.
  const possible = !email.includes('\0') && !password.includes('\0');
  const account = possible ? await accountByEmail(context.db, email) : null;
  const { ok, needsRehash } = await context.passwords.verify(password, account?.hash ?? null);
  if (!ok || !account) return null;
  if (needsRehash) {
    const upgrade = context.passwords
      .hash(password)
      .then((hash) => replaceHash(context.db, account.actor.id, account.hash, hash));
    await upgrade.catch((error: unknown) => context.log.warn({ err: error }, 'password not rehashed'));
  }
  return account.actor;
}
