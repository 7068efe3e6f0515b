import { createHmac } from 'node:crypto';
import { newTool } from '#shared/schema/tools.ts';
import { audit } from '#server/audit/service.ts';
import { insertSecret, lockTool, revokeOlderSecrets, updateDomain } from '#server/catalogue/service.ts';
import { transaction, type Db } from '#server/platform/database.ts';
import { hashToken, newToken } from '#server/platform/tokens.ts';

/** The old secret still works while the new one is rolled out. */
const liveSecrets = 2;

/** Shown to the operator in place of a result. */
export class OperatorError extends Error {}

const unknownTool = (toolId: string) => new OperatorError(`There is no tool "${toolId}".`);

/**
 * Makes a secret for a tool's server and answers how many older ones it revoked: a third revokes the oldest. In
 * development the tool's development secret is `exempt`, neither counted nor revoked.
 */
export async function makeSecret(db: Db, toolId: string, now: Date, exempt: string | null = null) {
  const secret = newToken();
  const revoked = await transaction(db, async (tx) => {
    if (!(await lockTool(tx, toolId))) throw unknownTool(toolId);
    await insertSecret(tx, toolId, hashToken(secret), now);
    const revoked = await revokeOlderSecrets(tx, {
      toolId,
      keep: liveSecrets,
      exempt: exempt && hashToken(exempt),
      now,
    });
    await audit({ db: tx, now: () => now }, 'tool.secret_made', { tool: toolId, ...byOperator, after: { revoked } });
    return revoked;
  });
  return { secret, revoked };
}

/** A seeded tool's secret in development: the same after every start, and never stored in clear. */
export const developmentSecretOf = (sessionSecret: string, toolId: string) =>
  createHmac('sha256', sessionSecret).update(`tool-secret:${toolId}`).digest('base64url');

/** A command is run by somebody with the server, not by an account. */
const byOperator = { actorId: null };

/** Sets a tool's address; answers it as stored. */
export async function setDomain(db: Db, toolId: string, domain: string, now: Date): Promise<string> {
  const checked = newTool.shape.domain.safeParse(domain);
  if (!checked.success) throw new OperatorError(`The address ${checked.error.issues[0]!.message}.`);
  const { href } = new URL(checked.data);
  await transaction(db, async (tx) => {
    const tool = await lockTool(tx, toolId);
    if (!tool) throw unknownTool(toolId);
    await updateDomain(tx, toolId, href);
    await audit({ db: tx, now: () => now }, 'tool.domain_set', {
      tool: toolId,
      ...byOperator,
      before: { domain: tool.domain },
      after: { domain: href },
    });
  });
  return href;
}
