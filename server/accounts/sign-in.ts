import { normaliseEmail } from '#shared/rules/people/accounts.ts';
import { audit } from '#server/audit/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { knownDevice } from '#server/platform/http/known-device.ts';
import {
  askerOf,
  consume,
  consumeByAddress,
  hasBudget,
  originOf,
  refund,
  refundByAddress,
} from '#server/platform/http/rate-limit.ts';
import type { Asker } from '#server/platform/http/waiting-line.ts';
import { accountByEmail, replaceHash } from './queries.ts';

/**
 * The open account with this address and password, or null. A failure is counted before the password is looked at; an unknown account
 * takes the same time as a wrong password. A browser that has signed in to the account before has a budget of its own and goes first
 * in the line; once its budget is used up, it counts as a stranger.
 */
export async function checkPassword(context: Context, typedEmail: string, password: string): Promise<ActorRow | null> {
  const email = normaliseEmail(typedEmail);
  try {
    const device = knownDevice(context, email);
    const isKnown = device !== null && (await hasBudget(context, 'signInDevice', `${device} ${email}`));
    const asker = askerOf(context, isKnown ? device : null);
    const check = () => verify(context, asker, email, password);
    return await context.passwords.admit(async () => {
      const user = await (isKnown ? check() : asStranger(context, email, check));
      if (!user) await recordAttempt(context, 'failed', email);
      return user;
    }, asker);
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') await recordAttempt(context, 'throttled', email);
    throw error;
  }
}

/** Counts a failure against the origin, the account as tried from this origin, and the account. */
async function asStranger<T>(context: Context, email: string, check: () => Promise<T | null>): Promise<T | null> {
  const pair = `${email} ${originOf(context)}`;
  // By IP first: whoever is over that limit can no longer use up other people's tries.
  await consumeByAddress(context, 'signInIp');
  await consume(context, 'signInAddress', pair);
  await consume(context, 'signInAccount', email);
  const giveBack = async () => {
    await refundByAddress(context, 'signInIp');
    await refund(context, 'signInAddress', pair);
    await refund(context, 'signInAccount', email);
  };
  const result = await check().catch(async (error: unknown) => {
    // Our fault, not a wrong password. If the refund fails too, the first fault is the one to report.
    await giveBack().catch(() => undefined);
    throw error;
  });
  if (result) await giveBack();
  return result;
}

async function verify(context: Context, asker: Asker, email: string, password: string): Promise<ActorRow | null> {
  // Postgres refuses NUL in text, and no stored password contains one.
  const possible = !email.includes('\0') && !password.includes('\0');
  const account = possible ? await accountByEmail(context.db, email) : null;
  const { ok, needsRehash } = await context.passwords.verify(password, account?.hash ?? null, asker);
  if (!ok || !account) return null;
  if (needsRehash) {
    const upgrade = context.passwords
      .hash(password, asker)
      .then((hash) => replaceHash(context.db, account.actor.id, account.hash, hash));
    await upgrade.catch((error: unknown) => context.log.warn({ err: error }, 'password not rehashed'));
  }
  return account.actor;
}

/** Tells a suspended person so, once they have proved who they are; strangers learn nothing. */
export async function refuseSuspended(context: Context, user: ActorRow): Promise<void> {
  if (user.suspendedAt === null) return;
  await recordAttempt(context, 'refused', user.email);
  throw new AppError('account_suspended');
}

const maxLength = 2000;
const hasControlCharacter = (text: string) => [...text].some((c) => c.charCodeAt(0) < 32 || c.charCodeAt(0) === 127);

/** A path of our own, or null: `//host` and `/\host` lead elsewhere, and browsers drop tabs and line breaks between them. */
function safeReturnTo(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > maxLength || hasControlCharacter(value)) return null;
  return /^\/(?![/\\])/.test(value) ? value : null;
}

/** Where `GET /api/login` redirects to. */
export function signInPage(returnTo: unknown): string {
  const path = safeReturnTo(returnTo);
  return path === null ? '/auth' : `/auth?returnTo=${encodeURIComponent(path)}`;
}

/** Records an attempt to sign in, alike for known and unknown addresses so that timing tells nothing; never the address typed. */
async function recordAttempt(context: Context, what: 'failed' | 'throttled' | 'refused', email: string): Promise<void> {
  const limit = what === 'throttled' ? 'auditThrottle' : 'auditFailure';
  if (!(await hasBudget(context, limit, `${email} ${originOf(context)}`))) return;
  if (!(await hasBudget(context, 'auditFlood', 'all'))) return;
  const account = email.includes('\0') ? null : await accountByEmail(context.db, email);
  const subject = account ? { user: account.actor.id } : { after: { account: 'unknown' } };
  await audit(context, `account.sign_in_${what}`, { actorId: null, ...subject });
}
