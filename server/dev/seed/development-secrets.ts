import { createHmac } from 'node:crypto';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { toolSecrets, tools } from '#shared/schema/tools.ts';
import type { Context } from '#server/platform/context.ts';
import type { Env } from '#server/platform/env.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { sealedSigningSecret } from '#server/tools/signing.ts';

/** A tool's secrets in development: the same after every start, and never stored in clear. */
export function developmentSecrets({ sessionSecrets: [newest] }: Pick<Env, 'sessionSecrets'>, toolId: string) {
  const derived = (purpose: string) => createHmac('sha256', newest).update(`${purpose}:${toolId}`);
  return {
    secret: derived('tool-secret').digest('base64url'),
    signingSecret: `whsec_${derived('tool-signing').digest('base64')}`,
  };
}

/** An earlier sample tool's address, or the placeholder of a catalogue seeded without one. */
const homeless = (toolId: string) => `^(http://localhost:[0-9]+/${toolId}|https://${toolId}\\.adviserly\\.example)$`;

/**
 * Every tool of our own with its development secrets, which are made to work: the tool may be new. A maker's tool has the secrets that its
 * maker got. Given the sample tool's address, tools that live there follow it to the port it got this time; a domain that the developer set stays.
 */
export async function developmentTools({ db, env }: Pick<Context, 'db' | 'env'>, sampleToolUrl?: string) {
  const { id, domain, eventsUrl } = tools;
  const ours = isNull(tools.ownerId);
  for (const { toolId } of await db.select({ toolId: id }).from(tools).where(ours)) {
    const { secret, signingSecret } = developmentSecrets(env, toolId);
    const signing = sealedSigningSecret(env, toolId, signingSecret);
    for (const row of [{ toolId, secretHash: hashToken(secret) }, signing])
      await db
        .insert(toolSecrets)
        .values(row)
        .onConflictDoUpdate({ target: toolSecrets.secretHash, set: { ...row, revokedAt: null } });
    if (sampleToolUrl === undefined) continue;
    const home = `${sampleToolUrl}/${toolId}`;
    await db
      .update(tools)
      .set({ domain: home, eventsUrl: `${home}/events` })
      .where(and(eq(id, toolId), sql`${domain} ~ ${homeless(toolId)}`));
  }
  const rows = await db.select({ id, domain, eventsUrl }).from(tools).where(ours).orderBy(asc(id));
  return rows.map((tool) => ({ ...tool, ...developmentSecrets(env, tool.id) }));
}
