import { sessionLife } from '#shared/rules/people/accounts.ts';
import type { IdentityProvider } from '#shared/rules/people/identities.ts';
import type { users } from '#shared/schema/accounts.ts';
import { realNow } from '../clock.ts';

/** The signed-in user as every handler sees it: the row, read fresh with each request, without the password. */
export type ActorRow = Omit<typeof users.$inferSelect, 'password' | 'seq'>;

/** Of an actor, what says whether they are still signed in. */
export type SignedIn = Pick<ActorRow, 'id' | 'authEpoch'>;

/** What Microsoft or Google says of the person who has just signed in there. */
export type ShownIdentity = {
  provider: IdentityProvider;
  issuer: string;
  subject: string;
  /** The organisation whose Microsoft account it is. */
  tenant: string | null;
  /** An address of theirs that the provider has checked; null without one. */
  email: string | null;
  /** Whether the provider still knows whose address it is, so that nobody has to open a link. */
  isProved: boolean;
  firstName: string;
  lastName: string;
};
/** With whose account a session began; `at` is real time, in milliseconds. */
export type SessionIdentity = Pick<ShownIdentity, 'provider' | 'tenant'> & { at: number };

/** The organisation with whose Microsoft account a session began, or null. It counts as long as a session may last. */
export function tenantIn(session: { identity?: SessionIdentity | undefined } | undefined): string | null {
  const identity = session?.identity;
  return identity && realNow().getTime() - identity.at < sessionLife.adviser.absolute * 1000 ? identity.tenant : null;
}
