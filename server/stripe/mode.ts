import { onFile } from '#server/payers/service.ts';
import type { Db } from '#server/platform/data/database.ts';
import type { Env } from '#server/platform/env.ts';
import { claimMode, findAccount, type StripeMode } from './queries.ts';

const names: Record<StripeMode, string> = {
  sandbox: 'the payments sandbox',
  test: "Stripe's test keys",
  live: "Stripe's live keys",
};

export const modeOf = ({ stripe }: Pick<Env, 'stripe'>): StripeMode =>
  stripe === null ? 'sandbox' : /^[sr]k_live_/.test(stripe.secretKey) ? 'live' : 'test';

export class OtherStripeMode extends Error {}

/** Refuses to start with keys of a mode other than the one the database's customers were made in: Stripe would know none of them. */
export async function checkMode(db: Db, env: Env, { claim = true } = {}): Promise<void> {
  const mode = modeOf(env);
  const used = await onFile.hasCustomers(db);
  const known = claim ? await claimMode(db, mode, used) : used ? (await findAccount(db))?.mode : mode;
  if (known !== undefined && known !== mode)
    throw new OtherStripeMode(
      `This database was used with ${names[known]}, and this start would use ${names[mode]}, which knows none of its ` +
        'customers and subscriptions. Set the keys it was used with, or give DATABASE_URL a database of its own.',
    );
}
