import { createHmac } from 'node:crypto';
import { newTool } from '#shared/schema/tools.ts';
import { audit } from '#server/admin/service.ts';
import { transaction, type Db } from '#server/platform/database.ts';
import { hashToken, newToken } from '#server/platform/tokens.ts';
import { insertSecret, lockTool, revokeOlderSecrets, updateDomain } from './queries-operate.ts';

/** While a new secret is rolled out, the old one still works (decisions §8). */
const liveSecrets = 2;

/** What the operator is told in place of a result. */
export class OperatorError extends Error {}

const unknownTool = (toolId: string) => new OperatorError(`There is no tool "${toolId}".`);

/**
 * A new secret for a tool's server, and how many older ones died by it: a third revokes the oldest. In development the
 * tool's development secret is `exempt`: it is neither counted nor revoked.
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
    await audit(
      { db: tx, now: () => now },
      { ...byOperator, action: 'tool.secret_made', subjectId: toolId, after: { revoked } },
    );
    return revoked;
  });
  return { secret, revoked };
}

/** The secret a seeded tool has in development: the same after every start, and never stored in clear. */
export const developmentSecretOf = (sessionSecret: string, toolId: string) =>
  createHmac('sha256', sessionSecret).update(`tool-secret:${toolId}`).digest('base64url');

/** Commands are run by who has the server, not by an account. */
const byOperator = { actorId: null, subjectType: 'tool' } as const;

/** Says where a tool really lives; answers the address as it is stored. */
export async function setDomain(db: Db, toolId: string, domain: string, now: Date): Promise<string> {
  const checked = newTool.shape.domain.safeParse(domain);
  if (!checked.success) throw new OperatorError(`The address ${checked.error.issues[0]!.message}.`);
  const { href } = new URL(checked.data);
  await transaction(db, async (tx) => {
    const tool = await lockTool(tx, toolId);
    if (!tool) throw unknownTool(toolId);
    await updateDomain(tx, toolId, href);
    const [before, after] = [{ domain: tool.domain }, { domain: href }];
    await audit(
      { db: tx, now: () => now },
      { ...byOperator, action: 'tool.domain_set', subjectId: toolId, before, after },
    );
  });
  return href;
}
