import type { Request } from 'express';
import type * as z from 'zod';
import type { contract } from '#shared/api/index.ts';
import { passwordTooCommon } from '#shared/rules/accounts.ts';
import { audit } from '#server/admin/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import { isCommonPassword } from '#server/platform/common-passwords.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction, violates } from '#server/platform/database.ts';
import { consumeByAddress } from '#server/platform/rate-limit.ts';
import { emailIsUnique, insertUser } from './queries.ts';
import { issueVerification } from './verification.ts';

type Registration = z.output<typeof contract.accounts.register.body>;

/** Creates the account with its verification mail, all or nothing. Two at once for one address: one gets 409. */
export async function register(context: Context, body: Registration, request: Request): Promise<ActorRow> {
  if (isCommonPassword(body.password)) throw fieldError('password', passwordTooCommon);
  await consumeByAddress(context, 'registerIp', request);
  const password = await context.passwords.hash(body.password);
  const now = context.now();
  try {
    return await transaction(context.db, async (tx) => {
      const inside = within(context, tx);
      const user = await insertUser(tx, { ...body, password, createdAt: now, updatedAt: now });
      await issueVerification(inside, user);
      await audit(inside, {
        action: 'account.registered',
        actorId: user.id,
        subjectType: 'user',
        subjectId: user.id,
        ip: request.ip,
      });
      return user;
    });
  } catch (error) {
    if (violates(error, emailIsUnique)) throw new AppError('email_taken', { cause: error });
    throw error;
  }
}
