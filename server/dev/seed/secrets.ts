import { and, asc, eq, sql } from 'drizzle-orm';
import { toolSecrets, tools } from '#shared/schema/tools.ts';
import type { Context } from '#server/platform/context.ts';
import type { Env } from '#server/platform/env.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { developmentSecretOf } from '#server/tools/operate.ts';

/** The development secret of one tool, from this installation's session secret. */
export const developmentSecrets = (env: Pick<Env, 'sessionSecrets'>, toolId: string) =>
  developmentSecretOf(env.sessionSecrets[0], toolId);

/** An earlier sample tool's address, or the placeholder of a catalogue seeded without one. */
const homeless = (toolId: string) => `^(http://localhost:[0-9]+/${toolId}|https://${toolId}\\.adviserly\\.example)$`;

/**
 * Every tool with its development secret. At the start, given the sample tool's address, their hashes are stored, and
 * tools that live at the sample tool follow it to the port it got this time; a domain of the developer's own stays.
 */
export async function developmentTools({ db, env }: Pick<Context, 'db' | 'env'>, sampleToolUrl?: string) {
  if (sampleToolUrl !== undefined) {
    const ids = (await db.select({ id: tools.id }).from(tools)).map((tool) => tool.id);
    for (const toolId of ids) {
      const secretHash = hashToken(developmentSecrets(env, toolId));
      await db
        .insert(toolSecrets)
        .values({ toolId, secretHash })
        .onConflictDoUpdate({ target: toolSecrets.secretHash, set: { revokedAt: null } });
      await db
        .update(tools)
        .set({ domain: `${sampleToolUrl}/${toolId}` })
        .where(and(eq(tools.id, toolId), sql`${tools.domain} ~ ${homeless(toolId)}`));
    }
  }
  const rows = await db.select({ id: tools.id, domain: tools.domain }).from(tools).orderBy(asc(tools.id));
  return rows.map(({ id, domain }) => ({ id, domain, secret: developmentSecrets(env, id) }));
}
