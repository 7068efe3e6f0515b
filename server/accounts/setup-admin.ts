import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type * as z from 'zod';
import type { contract } from '#shared/api/index.ts';
import { passwordTooCommon } from '#shared/rules/accounts.ts';
import { audit } from '#server/admin/service.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import { isCommonPassword } from '#server/platform/common-passwords.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction, violates } from '#server/platform/database.ts';
import { clientAddress, consume, refund } from '#server/platform/rate-limit.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { emailIsUnique, insertUser } from './queries.ts';
import { hasAdmin, lockSetup } from './queries-setup.ts';

type Setup = z.output<typeof contract.security.setupAdmin.body>;

/** Compared as hashes: equal lengths, and no timing tells how much was right. */
const equal = (a: string, b: string) => timingSafeEqual(Buffer.from(hashToken(a)), Buffer.from(hashToken(b)));

/** Production is closed without a token; where there is one it must be shown. Wrong ones are counted per IP. */
async function checkToken(context: Context, given: string | undefined, request: Request): Promise<void> {
  const { setupToken, mode } = context.env;
  if (setupToken === undefined) {
    if (mode === 'production') throw new AppError('setup_closed');
    return;
  }
  const address = clientAddress(context, request);
  if (address !== null) await consume(context, 'tokenIp', address);
  if (given === undefined || !equal(given, setupToken)) throw new AppError('setup_closed');
  if (address !== null) await refund(context, 'tokenIp', address);
}

/** Creates the first administrator, verified and with a complete profile; refused as soon as there is one (decisions §3). */
export async function setupAdmin(context: Context, body: Setup, request: Request) {
  const { setupToken, password, ...names } = body;
  await checkToken(context, setupToken, request);
  if (await hasAdmin(context.db)) throw new AppError('setup_done');
  if (isCommonPassword(password)) throw fieldError('password', passwordTooCommon);
  const hash = await context.passwords.hash(password);
  try {
    await transaction(context.db, async (tx) => {
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
      await audit(within(context, tx), {
        action: 'account.admin_created',
        actorId: admin.id,
        subjectType: 'user',
        subjectId: admin.id,
        ip: request.ip,
      });
    });
  } catch (error) {
    if (violates(error, emailIsUnique)) throw new AppError('email_taken', { cause: error });
    throw error;
  }
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
