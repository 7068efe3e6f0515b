import { liveSecrets } from '#shared/rules/tools/tools.ts';
import { audit } from '#server/audit/service.ts';
import { toolRows, toolSecrets, toolSettings, type ToolRow } from '#server/catalogue/service.ts';
import { signing } from '#server/tools/service.ts';
import { heading } from '#server/platform/mail-subject.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';

type Tool = { id: string };
type Kind = 'call' | 'signing';

export async function issueSecret(inside: Context, { id: toolId }: Tool, kind: Kind, name: string): Promise<string> {
  const live = (await toolSecrets.liveSecretsOf(inside.db, toolId)).filter((one) => one.kind === kind);
  if (live.length >= liveSecrets) throw new AppError('secrets_full');
  const secret = kind === 'signing' ? signing.newSigningSecret() : newToken();
  const stored =
    kind === 'signing'
      ? signing.sealedSigningSecret(inside.env, toolId, secret)
      : { toolId, secretHash: hashToken(secret) };
  await toolSecrets.insertSecret(inside.db, { ...stored, name }, inside.now());
  await audit(inside, 'tool.own_secret_made', { tool: toolId, after: { kind, name } });
  return secret;
}

/** As `issueSecret`, for a maker, who hears of it by mail: whoever has it speaks for the tool. */
export async function makeOwnSecret(inside: Context, tool: ToolRow, kind: Kind, name: string): Promise<string> {
  const secret = await issueSecret(inside, tool, kind, name);
  const use = kind === 'call' ? 'makes calls as your tool' : 'signs the events that we send';
  await toolSettings.tellMaker(inside, tool, {
    heading: heading`${tool.name} has a new secret`,
    paragraphs: [
      `The secret “${name}” was made for ${tool.name}. It ${use}.`,
      'If you did not make it, revoke it on the page of your tool and change your password at once.',
    ],
    dedupeKey: `tool-secret:${hashToken(secret)}`,
  });
  return secret;
}

export async function withdrawSecret(inside: Context, { id: toolId }: Tool, id: string): Promise<void> {
  const revoked = await orRefuse(toolSecrets.revokeSecret(inside.db, toolId, id, inside.now()), 'secret_not_found');
  await audit(inside, 'tool.own_secret_revoked', { tool: toolId, before: revoked });
}

/** Revokes those of a maker's secrets that were made since then, as a thief of the account may have made them, and names them to the maker. */
export async function withdrawSecretsSince(inside: Context, makerId: string, since: Date): Promise<void> {
  for (const tool of await toolRows.toolsOf(inside.db, makerId)) {
    const made = (await toolSecrets.liveSecretsOf(inside.db, tool.id)).filter(({ createdAt }) => createdAt >= since);
    for (const { id, name } of made) {
      const revoked = await toolSecrets.revokeSecret(inside.db, tool.id, id, inside.now());
      if (!revoked) continue;
      await audit(inside, 'tool.own_secret_revoked', { tool: tool.id, before: revoked });
      await toolSettings.tellMaker(inside, tool, {
        heading: heading`A secret of ${tool.name} was revoked`,
        paragraphs: [
          `We revoked “${name}”, a secret of ${tool.name}: it was made shortly before you took your account back.`,
          'If you made it yourself, make another one on the page of your tool.',
        ],
        dedupeKey: `tool-secret-revoked:${id}`,
      });
    }
  }
}
