import * as z from 'zod';
import { membershipTypes } from '#shared/rules/people/accounts.ts';
import { sentences } from '#shared/rules/operators/admin.ts';
import {
  checkMove,
  checkNewAdministrator,
  hashPasswordFor,
  makeAdministrator,
  moveEmailBack,
  moveEmailFor,
  removeAdministrator,
  setPasswordFor,
} from '#server/accounts/service.ts';
import { findTool } from '#server/catalogue/service.ts';
import { type Payer, practices, userPayer } from '#server/payers/service.ts';
import { listedPeople } from '#server/people/service.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import { changeFreeAccess } from '../people/free-access.ts';
import type { Kind } from './act-kind.ts';
import { ask } from './carry-out.ts';
import { type ActRow, everMadeAdmin, isDoneAgain } from './queries.ts';

/** Nobody gives money or anything of value to themselves, to their own team or practice, or to somebody in it. */
export async function refuseOwn({ db, caller }: Context, payer: Payer): Promise<void> {
  if ((await practices.ownPayers(db, caller!.actorId!))(payer)) throw new AppError('own_favour');
}

/** Nor does anybody decide on a tool that they, or somebody in their practice, have made. */
export async function refuseOwnTool(context: Context, toolId: string): Promise<void> {
  const tool = await findTool(context.db, toolId);
  if (tool?.ownerId) await refuseOwn(context, userPayer(tool.ownerId));
}

export const freeAccessKind: Kind = {
  about: ({ subjectId }) => ({ what: (whom) => `give ${whom} free access`, subject: userPayer(subjectId) }),
  execute: (inside, { subjectId, reason }) => changeFreeAccess(inside, subjectId, true, reason),
  undo: async (inside, act, reason) => {
    // What was granted by a later act is not this one's to end.
    if (await isDoneAgain(inside.db, act)) throw new AppError('conflict');
    await changeFreeAccess(inside, act.subjectId, false, reason);
  },
};

export async function grantFreeAccess(context: Context, userId: string, reason: string | undefined): Promise<string> {
  if (context.env.fourEyes && !reason) throw fieldError('reason', sentences.reason);
  await refuseOwn(context, userPayer(userId));
  await ask(context, { kind: 'free_access', subjectId: userId, reason: reason ?? '' }, freeAccessKind);
  return 'Free access granted';
}

export const makeAdminKind: Kind = {
  about: ({ subjectId }) => ({ what: (whom) => `make ${whom} an administrator`, subject: userPayer(subjectId) }),
  execute: (inside, { subjectId, reason }) => makeAdministrator(inside, subjectId, reason),
  undo: (inside, { subjectId }, reason) => removeAdministrator(inside, subjectId, reason),
};

/** Whether the server has, or ever had, two administrators: whoever suspends the other one does not thereby get two people's rights. */
export const hadTwo = async (db: Db): Promise<boolean> =>
  (await listedPeople.allAdministratorIds(db)).length > 1 || (await everMadeAdmin(db));

/** The administrator of a server that never had two makes another one alone, since nobody could approve that. */
export async function askForAdministrator(context: Context, userId: string, reason: string): Promise<string> {
  const needsTwo = await hadTwo(context.db);
  const check = (inside: Context) => checkNewAdministrator(inside, userId);
  const request = { kind: 'make_admin' as const, subjectId: userId, reason, needsTwo, check };
  return (await ask(context, request, makeAdminKind)) ?? 'The user is an administrator now.';
}

const emailIn = ({ parameters }: ActRow) =>
  z
    .object({
      // Erased when the account is closed.
      email: z.string().default('another address'),
      before: z
        .object({ email: z.string(), verified: z.boolean(), membershipType: z.enum(membershipTypes) })
        .optional(),
    })
    .parse(parameters);

export const changeEmailKind: Kind = {
  about: (act) => ({
    what: (whom) => `change the email address of ${whom} to ${emailIn(act).email}`,
    subject: userPayer(act.subjectId),
  }),
  execute: async (inside, act) => {
    const { email } = emailIn(act);
    return { email, before: await moveEmailFor(inside, act.subjectId, email, act.reason) };
  },
  undo: async (inside, act, reason) => {
    const { email, before } = emailIn(act);
    await moveEmailBack(inside, act.subjectId, { from: email, ...before! }, reason);
  },
};

export async function askForEmail(
  context: Context,
  userId: string,
  { email, reason }: { email: string; reason: string },
): Promise<string> {
  const check = (inside: Context) => checkMove(inside, userId, email);
  const request = { kind: 'change_email' as const, subjectId: userId, parameters: { email }, reason, check };
  const waits = await ask(context, { ...request, needsTwo: true }, changeEmailKind);
  return waits ?? 'The address was changed. Both addresses were told.';
}

export const setPasswordKind: Kind = {
  about: ({ subjectId }) => ({ what: (whom) => `set the password of ${whom}`, subject: userPayer(subjectId) }),
  // Only the account keeps the hash.
  execute: (inside, { subjectId, parameters }) => {
    const { hash } = z.object({ hash: z.string().optional() }).parse(parameters);
    // Closing an account erases it.
    if (hash === undefined) throw new AppError('user_not_found');
    return setPasswordFor(inside, subjectId, hash);
  },
};

/** Sets a user's password; another administrator's waits for a second one, since it gives all of their rights. */
export async function askForPassword(
  context: Context,
  { userId, newPassword, reason = '' }: { userId: string; newPassword: string; reason?: string | undefined },
): Promise<string> {
  const needsTwo =
    userId !== context.caller!.actorId && (await listedPeople.allAdministratorIds(context.db)).includes(userId);
  if (needsTwo && context.env.fourEyes && reason === '') throw fieldError('reason', sentences.reason);
  const parameters = { hash: await hashPasswordFor(context, userId, newPassword) };
  const request = { kind: 'set_password' as const, subjectId: userId, parameters, reason, needsTwo };
  return (await ask(context, request, setPasswordKind)) ?? 'Password reset successfully';
}
