import type { Request } from 'express';
import type * as z from 'zod';
import type { identitiesApi } from '#shared/api/identities.ts';
import { type IdentityProvider, identityProviderNames } from '#shared/rules/people/identities.ts';
import { pendingMs } from '#shared/rules/people/factors.ts';
import { identities } from '#server/people/service.ts';
import { teamsThatAskForTenant } from '#server/teams/service.ts';
import { realNow } from '#server/platform/clock.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import type { ActorRow, ShownIdentity } from '#server/platform/http/actor.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { refundByAddress } from '#server/platform/http/rate-limit.ts';
import { completeSignIn } from '../begin-session.ts';
import { beginSecondStep } from '../factors/second-step.ts';
import { tell } from '../factors/notices.ts';
import { toUser } from '../profile.ts';
import { accountByEmail, findOpenUser } from '../queries.ts';
import { refuseSuspended } from '../sign-in.ts';
import { connect, sessionIdentity } from './connect.ts';
import { readAnswer } from './provider.ts';

type Answer = z.output<typeof identitiesApi.finish.response>;

function refuseAdministrator(user: ActorRow | null | undefined): void {
  if (user?.isAdmin) throw new AppError('admin_by_password');
}

/** What follows from a provider's answer: a sign-in, its second step, a connection, or the form that leads to one. */
export async function finishAt(
  context: Context,
  request: Request,
  actor: ActorRow | null,
  { provider, query }: { provider: IdentityProvider; query: string },
): Promise<Answer> {
  delete request.session.shown;
  const { connectTo, ...shown } = await readAnswer(context, request, provider, query);
  await refundByAddress(context, 'providerIp');
  if (connectTo !== null) return connectHere(context, request, connectTo === actor?.id ? actor : null, shown);
  const ownerId = await identities.ownerOf(context.db, shown);
  if (ownerId === undefined) return awaitAccount(context, request, shown);
  const user = await orRefuse(findOpenUser(context.db, ownerId), 'unauthorized');
  refuseAdministrator(user);
  await refuseSuspended(context, user);
  const identity = sessionIdentity(shown);
  const secondFactor = await beginSecondStep(context, request, user, identity);
  return secondFactor
    ? { secondFactor }
    : completeSignIn(context, request, user, { byPassword: false, factorShown: false, identity });
}

/** Keeps an identity without an account until somebody signs in with its address, or registers with it, in this browser. */
async function awaitAccount(context: Context, request: Request, shown: ShownIdentity): Promise<Answer> {
  const { email, firstName, lastName } = shown;
  if (email === null) throw new AppError('address_unconfirmed');
  const account = await accountByEmail(context.db, email);
  refuseAdministrator(account?.actor);
  request.session.shown = { ...shown, until: realNow().getTime() + pendingMs };
  return { connect: { email, firstName, lastName, hasAccount: account !== null } };
}

/** Connects it to the account whose owner asked for that in this session, with proof. */
async function connectHere(
  context: Context,
  request: Request,
  actor: ActorRow | null,
  shown: ShownIdentity,
): Promise<Answer> {
  if (!actor) throw new AppError('provider_over');
  if (shown.email === null) throw new AppError('address_unconfirmed');
  if (shown.email !== actor.email) throw new AppError('other_address');
  const user = await inTransaction(context, (inside) => connect(inside, actor, shown));
  request.session.identity = sessionIdentity(shown);
  return toUser(context, user);
}

/** `GET /api/user/identities`: one's own, and which teams ask for their Microsoft account in vain. */
export const ownIdentities = async (context: Context, actor: ActorRow) => ({
  identities: await identities.identitiesOf(context.db, actor.id),
  demandedBy: await teamsThatAskForTenant(context, actor),
});

export const disconnect = (context: Context, actor: ActorRow, id: string): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const gone = await orRefuse(identities.deleteIdentity(tx, actor.id, id), 'not_found');
    await tell(inside, actor.id, 'disconnected', identityProviderNames[gone.provider]);
  });
