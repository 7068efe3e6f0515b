import type { Request } from 'express';
import { identityProviderNames } from '#shared/rules/people/identities.ts';
import { identities } from '#server/people/service.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { ActorRow, SessionIdentity, ShownIdentity } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { tell } from '../factors/notices.ts';
import { lockSignedIn } from '../queries.ts';
import { noteProved } from '../verification.ts';

export const sessionIdentity = ({ provider, tenant }: ShownIdentity): SessionIdentity => ({
  provider,
  tenant,
  at: realNow().getTime(),
});

/** The identity that waits in this browser for somebody with this address, or null. */
export function shownFor(request: Request, email: string): ShownIdentity | null {
  const { shown } = request.session;
  return shown && shown.until > realNow().getTime() && shown.email === email ? shown : null;
}

/** Connects an identity to an account, whose sign-in and address have been shown, in the caller's transaction. */
export async function connect(inside: Context, actor: ActorRow, shown: ShownIdentity): Promise<ActorRow> {
  const user = await lockSignedIn(inside.db, actor);
  const userId = user.id;
  if (user.isAdmin) throw new AppError('admin_by_password');
  const { provider, issuer, subject, tenant } = shown;
  await identities.setIdentity(inside.db, { userId, provider, issuer, subject, tenant, createdAt: inside.now() });
  await tell(inside, userId, 'connected', identityProviderNames[provider]);
  return shown.isProved && !user.emailVerified ? noteProved(inside, user) : user;
}
