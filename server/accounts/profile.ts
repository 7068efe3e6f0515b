import type * as z from 'zod';
import type { contract } from '#shared/api/index.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { completeUser } from './queries.ts';

type Profile = z.output<typeof contract.accounts.completeProfile.body>;

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
