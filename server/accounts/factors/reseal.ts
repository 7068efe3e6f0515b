import type { Context } from '#server/platform/context.ts';
import { unseal } from '#server/platform/seal.ts';
import { openSecret, purposeOf, sealSecret } from './codes.ts';
import { appsAfter, replaceSecret } from './queries.ts';

const batch = 500;

/**
 * While `FACTOR_SECRET` holds several: encrypts with the newest what an older one encrypted, so that the older can be
 * taken out. Says how many there were, and how many none of them opens.
 */
export async function resealFactors(context: Context): Promise<void> {
  const [newest, ...older] = context.env.factorSecrets;
  if (older.length === 0) return;
  let [resealed, lost] = [0, 0];
  for (let after: string | null = null; ;) {
    const apps = await appsAfter(context.db, after, batch);
    for (const { id, userId, secret: sealed } of apps) {
      if (unseal([newest], purposeOf(userId), sealed) !== null) continue;
      const secret = openSecret(context, userId, sealed);
      if (secret === null) lost += 1;
      else if (await replaceSecret(context.db, id, sealed, sealSecret(context, userId, secret))) resealed += 1;
    }
    if (apps.length < batch) break;
    after = apps.at(-1)!.id;
  }
  context.log.info({ resealed, lost }, 'authenticator apps are encrypted with the newest FACTOR_SECRET');
}
