import type * as z from 'zod';
import type { contract } from '#shared/api/index.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
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

/** Changes what was sent and nothing else (A §7); the lists are JSON text in the table. */
export async function changeProfile(context: Context, actor: ActorRow, change: Change): Promise<ActorRow> {
  const { professionalCredentials: credentials, specializationAreas: areas, ...columns } = change;
  const user = await updateProfile(
    context.db,
    actor.id,
    {
      ...columns,
      ...(credentials && { professionalCredentials: JSON.stringify(credentials) }),
      ...(areas && { specializationAreas: JSON.stringify(areas) }),
    },
    context.now(),
  );
  if (!user) throw new AppError('unauthorized');
  return user;
}
