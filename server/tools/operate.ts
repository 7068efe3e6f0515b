import { createHmac } from 'node:crypto';
import { liveSecrets } from '#shared/rules/tools.ts';
import { newTool } from '#shared/schema/tools.ts';
import { audit } from '#server/audit/service.ts';
import { insertSecret, lockToolRow, revokeOlderSecrets, writeSettings } from '#server/catalogue/service.ts';
import { transaction, type Db } from '#server/platform/database.ts';
import { hashToken, newToken } from '#server/platform/tokens.ts';
import { type Keys, newSigningSecret, sealedSigningSecret } from './signing.ts';

/** Shown to the operator in place of a result. */
export class OperatorError extends Error {}

const unknownTool = (toolId: string) => new OperatorError(`There is no tool "${toolId}".`);

/**
 * Makes a secret for a tool's server; returns it, and how many older ones were revoked: a third revokes the oldest. In
 * development the tool's development secret is `exempt`, neither counted nor revoked.
 */
export async function makeSecret(db: Db, toolId: string, now: Date, exempt: string | null = null) {
  const secret = newToken();
  const revoked = await transaction(db, async (tx) => {
    if (!(await lockToolRow(tx, toolId))) throw unknownTool(toolId);
    await insertSecret(tx, { toolId, secretHash: hashToken(secret) }, now);
    const revoked = await revokeOlderSecrets(tx, {
      toolId,
      kind: 'call',
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

/** The same for signing its events. */
export const developmentSigningSecretOf = (sessionSecret: string, toolId: string) =>
  `whsec_${createHmac('sha256', sessionSecret).update(`tool-signing:${toolId}`).digest('base64')}`;

/** A command is run by somebody with access to the server, not by an account. */
const byOperator = { actorId: null };
const byCommand = (command: string) => ({ reason: `By the command ${command}`, changedBy: null });

const hrefOf = (address: string): string => {
  const checked = newTool.shape.domain.safeParse(address);
  if (!checked.success) throw new OperatorError(`The address ${checked.error.issues[0]!.message}.`);
  return new URL(checked.data).href;
};

/**
 * Sets where a tool takes events, and makes a new secret to sign them with. The previous secret goes on signing too, since
 * two may be live.
 */
export async function setEvents(db: Db, env: Keys, toolId: string, address: string, now: Date) {
  const eventsUrl = hrefOf(address);
  const secret = await transaction(db, async (tx) => {
    const tool = await lockToolRow(tx, toolId);
    if (!tool) throw unknownTool(toolId);
    await writeSettings({ db: tx, now: () => now }, tool, { eventsUrl }, byCommand('tools:events'));
    const secret = newSigningSecret();
    await insertSecret(tx, sealedSigningSecret(env, toolId, secret), now);
    await revokeOlderSecrets(tx, { toolId, kind: 'signing', keep: liveSecrets, exempt: null, now });
    await audit({ db: tx, now: () => now }, 'tool.events_set', {
      tool: toolId,
      ...byOperator,
      before: { eventsUrl: tool.eventsUrl },
      after: { eventsUrl },
    });
    return secret;
  });
  return { eventsUrl, secret };
}

/** Sets a tool's address; returns it as stored. */
export async function setDomain(db: Db, toolId: string, domain: string, now: Date): Promise<string> {
  const href = hrefOf(domain);
  await transaction(db, async (tx) => {
    const tool = await lockToolRow(tx, toolId);
    if (!tool) throw unknownTool(toolId);
    await writeSettings({ db: tx, now: () => now }, tool, { domain: href }, byCommand('tools:domain'));
    await audit({ db: tx, now: () => now }, 'tool.domain_set', {
      tool: toolId,
      ...byOperator,
      before: { domain: tool.domain },
      after: { domain: href },
    });
  });
  return href;
}
