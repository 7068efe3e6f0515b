import type * as z from 'zod';
import type { contract } from '#shared/api/index.ts';
import { customerChanged, userPayer } from '#server/billing/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { completeUser, updateProfile } from './queries.ts';

type Profile = z.output<typeof contract.accounts.completeProfile.body>;
type Change = z.output<typeof contract.accounts.updateProfile.body>;

/** Stores the first profile, once; it is changed in My Profile afterwards. */
export async function completeProfile(context: Context, actor: ActorRow, profile: Profile): Promise<ActorRow> {
  const columns = {
    ...profile,
    professionalCredentials: JSON.stringify(profile.professionalCredentials),
    specializationAreas: JSON.stringify(profile.specializationAreas),
  };
  const user = await completeUser(context.db, actor.id, columns, context.now());
  if (!user) throw new AppError('profile_already_complete');
  return user;
}

/** What the payment provider knows of a person too. */
const sharedWithProvider = ['firstName', 'lastName', 'mobile', 'abn'] as const;

/**
 * Changes what was sent and nothing else (A §7); the lists are JSON text in the table. The customer at the payment provider
 * follows.
 */
export async function changeProfile(context: Context, actor: ActorRow, change: Change): Promise<ActorRow> {
  const { professionalCredentials: credentials, specializationAreas: areas, ...columns } = change;
  return transaction(context.db, async (tx) => {
    const user = await updateProfile(
      tx,
      actor.id,
      {
        ...columns,
        ...(credentials && { professionalCredentials: JSON.stringify(credentials) }),
        ...(areas && { specializationAreas: JSON.stringify(areas) }),
      },
      context.now(),
    );
    if (!user) throw new AppError('unauthorized');
    if (user.stripeCustomerId !== null && sharedWithProvider.some((name) => user[name] !== actor[name]))
      await customerChanged(within(context, tx), userPayer(user.id));
    return user;
  });
}
