import { and, asc, eq, sql } from 'drizzle-orm';
import { toolSecrets, tools } from '#shared/schema/tools.ts';
import type { Context } from '#server/platform/context.ts';
import type { Env } from '#server/platform/env.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { developmentSecretOf, developmentSigningSecretOf } from '#server/tools/operate.ts';
import { sealedSigningSecret } from '#server/tools/signing.ts';

/** The development secrets of one tool, derived from this installation's session secret. */
export const developmentSecrets = ({ sessionSecrets: [newest] }: Pick<Env, 'sessionSecrets'>, toolId: string) => ({
  secret: developmentSecretOf(newest, toolId),
  signingSecret: developmentSigningSecretOf(newest, toolId),
});

/** An earlier sample tool's address, or the placeholder of a catalogue seeded without one. */
const homeless = (toolId: string) => `^(http://localhost:[0-9]+/${toolId}|https://${toolId}\\.adviserly\\.example)$`;

/**
 * Every tool with its development secrets, which are made to work: a tool may be new. Given the sample tool's address, tools that live at
 * the sample tool follow it to the port it got this time; a domain that the developer set stays.
 */
export async function developmentTools({ db, env }: Pick<Context, 'db' | 'env'>, sampleToolUrl?: string) {
  const ids = (await db.select({ id: tools.id }).from(tools)).map((tool) => tool.id);
  for (const toolId of ids) {
    const { secret, signingSecret } = developmentSecrets(env, toolId);
    const signing = sealedSigningSecret(env, toolId, signingSecret);
    for (const row of [{ toolId, secretHash: hashToken(secret) }, signing])
      await db
        .insert(toolSecrets)
        .values(row)
        .onConflictDoUpdate({ target: toolSecrets.secretHash, set: { ...row, revokedAt: null } });
    if (sampleToolUrl === undefined) continue;
    const domain = `${sampleToolUrl}/${toolId}`;
    await db
      .update(tools)
      .set({ domain, eventsUrl: `${domain}/events` })
      .where(and(eq(tools.id, toolId), sql`${tools.domain} ~ ${homeless(toolId)}`));
  }
  const { id, domain, eventsUrl } = tools;
  const rows = await db.select({ id, domain, eventsUrl }).from(tools).orderBy(asc(id));
  return rows.map((tool) => ({ ...tool, ...developmentSecrets(env, tool.id) }));
}
