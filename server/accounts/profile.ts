import type * as z from 'zod';
import type { User } from '#shared/api/accounts.ts';
import type { contract } from '#shared/api/index.ts';
import { byField, factsOf, listsOf, profileFields, profileLists } from '#shared/rules/people/profile.ts';
import { userPayer } from '#server/payers/service.ts';
import { customerChanged } from '#server/stripe/customers.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { orRefuse } from '#server/platform/http/app-error.ts';
import { signatureOf } from '#server/platform/crypto/signatures.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { completeUser, updateProfile, type ProfileColumns } from './queries.ts';

/** The user as sent, with lists as arrays; the endpoint drops fields that it does not list. */
export const toUser = ({ env }: Context, actor: ActorRow): User => ({
  ...actor,
  ...listsOf(actor),
  draftKey: signatureOf(env, 'draft key', actor.id),
});

type Profile = z.output<typeof contract.accounts.completeProfile.body>;
type Change = z.output<typeof contract.accounts.updateProfile.body>;

/** The table stores lists as JSON text. */
const asStored = (values: Change): ProfileColumns => {
  const lists = profileLists.filter((name) => values[name]);
  return { ...values, ...byField(lists, (name) => JSON.stringify(values[name])) };
};

/** Stores the first profile, once; after that it is changed in My Profile. */
export const completeProfile = (context: Context, actor: ActorRow, profile: Profile): Promise<ActorRow> =>
  orRefuse(completeUser(context.db, actor.id, asStored(profile), context.now()), 'profile_already_complete');

/** Changes what was sent and nothing else. The Stripe customer follows. */
export const changeProfile = (context: Context, actor: ActorRow, change: Change): Promise<ActorRow> =>
  inTransaction(context, async (inside, tx) => {
    const user = await orRefuse(updateProfile(tx, actor.id, asStored(change), context.now()), 'unauthorized');
    if (
      user.stripeCustomerId !== null &&
      profileFields.some((name) => factsOf(name).atStripe && user[name] !== actor[name])
    )
      await customerChanged(inside, userPayer(user.id));
    return user;
  });
