import { timingSafeEqual } from 'node:crypto';
import type * as z from 'zod';
import type { contract } from '#shared/api/index.ts';
import { auditOwnAccount } from '#server/audit/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { refuseWeakPassword } from '#server/platform/crypto/weak-passwords.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { askerOf, consumeByAddress, refundByAddress } from '#server/platform/http/rate-limit.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { hasAdmin, insertUser, lockSetup } from './queries.ts';
import { issueVerification } from './verification.ts';

type Registration = z.output<typeof contract.accounts.register.body>;

/** Creates the account with its verification mail, all or nothing; `isProved`: the address needs none. */
export async function register(context: Context, body: Registration, isProved: boolean): Promise<ActorRow> {
  await refuseWeakPassword(context, 'password', body.password, body);
  await consumeByAddress(context, 'registerIp');
  await consumeByAddress(context, 'registerMostIp');
  const password = await context.passwords.hash(body.password, askerOf(context));
  const now = context.now();
  return inTransaction(context, async (inside, tx) => {
    const user = await insertUser(tx, { ...body, password, createdAt: now, updatedAt: now });
    if (!isProved) await issueVerification(inside, user);
    await auditOwnAccount(inside, 'account.registered', user.id);
    return user;
  });
}

type Setup = z.output<typeof contract.security.setupAdmin.body>;

/** Compares hashes: they have equal lengths, and timing does not tell how much was right. */
const equal = (a: string, b: string) => timingSafeEqual(Buffer.from(hashToken(a)), Buffer.from(hashToken(b)));

/** In production, set-up is closed unless a token is configured; a configured token must be given. Wrong ones count per IP. */
async function checkToken(context: Context, given: string | undefined): Promise<void> {
  const { setupToken, mode } = context.env;
  if (setupToken === undefined) {
    if (mode === 'production') throw new AppError('setup_closed');
    return;
  }
  await consumeByAddress(context, 'tokenIp');
  if (given === undefined || !equal(given, setupToken)) throw new AppError('setup_closed');
  await refundByAddress(context, 'tokenIp');
}

/** Whether /setup-admin shows a form. Only a try tells whether a token is right. */
export async function setupState({ env, db }: Context) {
  return { open: (env.setupToken !== undefined || env.mode !== 'production') && !(await hasAdmin(db)) };
}

/** Creates the first administrator, verified and with a complete profile; refused once there is one. */
export async function setupAdmin(context: Context, body: Setup) {
  const { setupToken, password, ...names } = body;
  await checkToken(context, setupToken);
  if (await hasAdmin(context.db)) throw new AppError('setup_done');
  await refuseWeakPassword(context, 'password', password, names);
  const hash = await context.passwords.hash(password, askerOf(context));
  await inTransaction(context, async (inside, tx) => {
    await lockSetup(tx);
    if (await hasAdmin(tx)) throw new AppError('setup_done');
    const now = context.now();
    const admin = await insertUser(tx, {
      ...names,
      password: hash,
      isAdmin: true,
      emailVerified: true,
      profileCompleted: true,
      createdAt: now,
      updatedAt: now,
    });
    await auditOwnAccount(inside, 'account.admin_created', admin.id);
  });
  const isProduction = context.env.mode === 'production';
  return {
    message: 'The administrator account was created.',
    email: names.email,
    password: isProduction ? '••••••••••••' : password,
    note: isProduction
      ? 'Sign in with the password you chose. This page is closed from now on.'
      : 'Keep this password safe: it is not shown again. This page is closed from now on.',
  };
}
