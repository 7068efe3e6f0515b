import { emailUndoHours } from '#shared/rules/people/accounts.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import { accessChanged, revokeTokensSince } from '#server/access-tokens/service.ts';
import { endBookkeeper } from '#server/books/service.ts';
import { withdrawSecretsSince } from '#server/developers/service.ts';
import { teamPayer, userPayer } from '#server/payers/service.ts';
import { identities } from '#server/people/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { myTeams, takeOfferBack } from '#server/teams/service.ts';
import { deleteFactorsSince, forgetDevices, forgetWithoutFactors } from './factors/queries.ts';
import { deletePending } from './queries-email.ts';

/**
 * Gives the account back to whoever holds its mailbox, in the transaction that sets another password and so ends every session: what a
 * thief may have made goes. That is all that was made since `emailUndoHours` before `at`, for so long its owner can object to a mail; an
 * older factor stays, or the mailbox alone would open the account. Where the owner never proved the address, everything goes.
 */
export async function takeBack(inside: Context, user: ActorRow, at: Date): Promise<void> {
  const wasProved = user.emailVerified || user.emailProvedAt !== null;
  const since = wasProved ? plus(at, -emailUndoHours * hour) : new Date(0);
  const { ownedTeams } = await myTeams(inside, user.id);
  for (const payer of [userPayer(user.id), ...ownedTeams.map(({ id }) => teamPayer(id))])
    await endBookkeeper(inside, payer, since);
  for (const { id } of ownedTeams) await takeOfferBack(inside, user, id, since);
  await deletePending(inside.db, user.id);
  await forgetDevices(inside.db, user.id);
  await identities.deleteIdentitiesSince(inside.db, user.id, since);
  await revokeTokensSince(inside.db, user.id, since);
  await withdrawSecretsSince(inside, user.id, since);
  if (!(await deleteFactorsSince(inside.db, user.id, since))) await forgetWithoutFactors(inside.db, user.id);
  await accessChanged(inside, { userId: user.id });
}
