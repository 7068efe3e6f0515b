import { findToolPerson } from '#server/people/service.ts';
import { findAccess } from '#server/subscriptions/service.ts';
import { shutWithoutFactor } from '#server/teams/service.ts';
import type { Context } from '#server/platform/context.ts';

export type Access = Pick<
  NonNullable<Awaited<ReturnType<typeof findAccess>>>,
  'status' | 'teamId' | 'teamName' | 'autoRenew' | 'endDate' | 'trialEndDate' | 'gracePeriodEnd' | 'cardOnFile'
>;

/** A test adviser's, which has no end. */
const testAccess: Access = {
  status: 'active',
  teamId: null,
  teamName: null,
  autoRenew: true,
  endDate: null,
  trialEndDate: null,
  gracePeriodEnd: null,
  cardOnFile: false,
};

/**
 * The subscription by which this person may use the tool now, or why not: they have none or are suspended, or their team asks for a
 * second factor that they don't have. Asked at each launch, and as long as a session or an API key goes on.
 */
export async function accessOf(
  context: Context,
  userId: string,
  toolId: string,
): Promise<Access | 'subscription_required' | 'team_factor_required'> {
  const person = await findToolPerson(context.db, userId);
  if (person?.testOf) return person.testOf === toolId && person.ended === null ? testAccess : 'subscription_required';
  const access = person?.suspendedAt === null ? await findAccess(context, userId, toolId) : null;
  if (!person || !access) return 'subscription_required';
  const shut = access.teamId !== null && (await shutWithoutFactor(context.db, access.teamId, person));
  return shut ? 'team_factor_required' : access;
}

/** The same; null where they may not. */
export async function openAccess(context: Context, userId: string, toolId: string): Promise<Access | null> {
  const access = await accessOf(context, userId, toolId);
  return typeof access === 'string' ? null : access;
}
