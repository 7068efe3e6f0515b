import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { toolSecrets } from '#server/catalogue/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import type { Env } from '#server/platform/env.ts';
import { seal, unseal } from '#server/platform/crypto/seal.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';

export type Keys = Pick<Env, 'factorSecrets'>;

/** In the form of Standard Webhooks: `whsec_` and base64. */
export const newSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const purposeOf = (toolId: string) => `tool-signing:${toolId}`;

/** As it is stored. The hash is not of the secret itself, so that a signing secret can't authenticate a call. */
export const sealedSigningSecret = ({ factorSecrets }: Keys, toolId: string, secret: string) => ({
  toolId,
  kind: 'signing' as const,
  secretHash: hashToken(`signing:${secret}`),
  sealed: seal(factorSecrets, purposeOf(toolId), secret),
});

/** The headers of a message to a tool, signed with each of its live secrets; null where none of them can be unsealed. */
export async function signedHeaders(
  db: Db,
  { factorSecrets }: Keys,
  toolId: string,
  message: { id: string; body: string; at: Date },
): Promise<Record<string, string> | null> {
  const sealed = await toolSecrets.signingSecretsOf(db, toolId);
  const secrets = sealed
    .map((one) => unseal(factorSecrets, purposeOf(toolId), one.sealed!))
    .filter((one) => one !== null);
  if (secrets.length === 0) return null;
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(message.at.getTime() / 1000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(message.id, message.at, message.body)).join(' '),
  };
}

/** Which of a tool's secrets is among these words of its pages, as a maker calls it; null where none is. */
export async function secretAmong(db: Db, toolId: string, words: string[]): Promise<string | null> {
  const hashes = words.flatMap((word) => {
    const signing = word.startsWith('whsec_') ? word : `whsec_${word}`;
    return [hashToken(word), hashToken(`signing:${signing}`)];
  });
  const kind = await toolSecrets.kindAmong(db, toolId, hashes);
  return kind === undefined ? null : kind === 'signing' ? 'the signing secret' : 'the secret';
}

/** While `FACTOR_SECRET` holds several: reseals with the newest what an older one sealed. */
export async function resealSigningSecrets({ db, log, env: { factorSecrets } }: Context): Promise<void> {
  if (factorSecrets.length === 1) return;
  for (const { id, toolId, sealed } of await toolSecrets.allSigningSecrets(db)) {
    const secret = unseal(factorSecrets, purposeOf(toolId), sealed!);
    if (secret === null) log.error({ toolId }, 'a signing secret is lost: no FACTOR_SECRET opens it');
    else await toolSecrets.replaceSealed(db, id, seal(factorSecrets, purposeOf(toolId), secret));
  }
}
