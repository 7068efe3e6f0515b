import type { Reply } from '#shared/api/endpoint.ts';
import type { adminApi } from '#shared/api/operators/admin.ts';
import {
  apiKeyLimit,
  apiKeyPrefix,
  expiryOf,
  maskedKey,
  searchLimit,
  sentences,
} from '#shared/rules/operators/admin.ts';
import { seller } from '#shared/brand.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { insertKey, listKeys, revokeKey } from '#server/access-tokens/service.ts';
import { audit } from '#server/audit/service.ts';
import { findTool } from '#server/catalogue/service.ts';
import { notify } from '#server/notifications/service.ts';
import { listedPeople, lockOpenPerson } from '#server/people/service.ts';
import { rights } from '#server/subscriptions/service.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';

/** The newest keys, or those of the users a search finds. */
export async function listApiKeys({ db }: Context, search = ''): Promise<Reply<typeof adminApi.apiKeys>> {
  const everybody = { start: 0, limit: searchLimit };
  const found = search === '' ? undefined : (await listedPeople.search(db, search, everybody, null, searchLimit)).users;
  if (found?.length === 0) return [];
  const rows = await listKeys(
    db,
    apiKeyLimit,
    found?.map((user) => user.id),
  );
  return rows.map(({ lastFour, ...row }) => ({ ...row, token: maskedKey(lastFour) }));
}

type NewApiKey = { userId: string; toolId: string; expirationDays: number };

/** Makes a key for somebody with access to the tool. Only its hash is stored, so this answer alone shows it. */
export async function generateApiKey(
  context: Context,
  { userId, toolId, expirationDays }: NewApiKey,
): Promise<Reply<typeof adminApi.generateApiKey>> {
  const tool = await findTool(context.db, toolId);
  if (!tool?.isActive) throw new AppError('tool_not_found');
  const apiKey = apiKeyPrefix + newToken();
  return inTransaction(context, async (inside, tx) => {
    const user = await orRefuse(lockOpenPerson(tx, userId), 'user_not_found');
    if (user.suspendedAt !== null) throw new AppError('already_suspended');
    if (!(await rights.findAccess(inside, user.id, tool.id))) throw new AppError('api_key_needs_access');
    const now = context.now();
    const expiresAt = expiryOf(now, expirationDays);
    const lastFour = apiKey.slice(-4);
    const id = await insertKey(tx, {
      userId: user.id,
      toolId: tool.id,
      token: hashToken(apiKey),
      lastFour,
      expiresAt,
      createdAt: now,
    });
    await audit(inside, 'admin.api_key_generated', {
      user: user.id,
      after: { keyId: id, toolId: tool.id, lastFour, expiresAt: expiresAt.toISOString() },
    });
    const until = formatSydneyDate(expiresAt);
    await notify(inside, {
      userId: user.id,
      title: 'New API key',
      message: `An administrator created an API key to ${tool.name} for you. It ends in ${lastFour} and works until ${until}.`,
      actionUrl: '/dashboard',
      dedupeKey: `api-key:${id}`,
      mail: {
        kind: 'api-key',
        subject: mailSubject`A new API key for your account`,
        paragraphs: [
          `An administrator created an API key to ${tool.name} for you. It ends in ${lastFour} and works until ${until}, while your subscription is active.`,
          `If you didn't ask for it, write to ${seller().supportEmail}.`,
        ],
      },
    });
    return { userEmail: user.email, apiKey, warning: sentences.keyWarning };
  });
}

/** Revokes the key; from the next introspection on it fails. */
export const revokeApiKey = (context: Context, id: string): Promise<void> =>
  transaction(context.db, async (tx) => {
    const key = await orRefuse(revokeKey(tx, id), 'api_key_not_found');
    await audit(within(context, tx), 'admin.api_key_revoked', {
      user: key.userId,
      before: { keyId: id, toolId: key.toolId, lastFour: key.lastFour },
    });
  });
