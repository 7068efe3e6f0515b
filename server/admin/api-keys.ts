import type { Reply } from '#shared/api/endpoint.ts';
import type { adminApi } from '#shared/api/admin.ts';
import { apiKeyLimit, apiKeyPrefix, expiryOf, maskedKey, searchLimit, sentences } from '#shared/rules/admin.ts';
import { brand } from '#shared/brand.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { audit } from '#server/admin/service.ts';
import { notify } from '#server/notifications/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { hashToken, newToken } from '#server/platform/tokens.ts';
import { accessTo } from '#server/subscriptions/service.ts';
import type { By } from './by.ts';
import { activeTool, insertKey, listKeys, revokeKey } from './queries-keys.ts';
import { findUsers, lockOpenUser } from './queries-users.ts';

/** The newest keys, or those of the users a search finds. */
export async function listApiKeys({ db }: Context, search = ''): Promise<Reply<typeof adminApi.apiKeys>> {
  const everybody = { start: 0, limit: searchLimit };
  const found = search === '' ? undefined : (await findUsers(db, search, everybody, false, searchLimit)).users;
  if (found?.length === 0) return [];
  const rows = await listKeys(
    db,
    apiKeyLimit,
    found?.map((user) => user.id),
  );
  return rows.map(({ lastFour, ...row }) => ({ ...row, token: maskedKey(lastFour) }));
}

type Wanted = { userId: string; toolId: string; expirationDays: number };

/** Makes a key for somebody with access to the tool. Only its hash is kept: this answer is the one chance to read it. */
export async function generateApiKey(
  context: Context,
  by: By,
  { userId, toolId, expirationDays }: Wanted,
): Promise<Reply<typeof adminApi.generateApiKey>> {
  const tool = await activeTool(context.db, toolId);
  if (!tool) throw new AppError('tool_not_found');
  const apiKey = apiKeyPrefix + newToken();
  return transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    const user = await lockOpenUser(tx, userId);
    if (!user) throw new AppError('user_not_found');
    if (!(await accessTo(inside, user.id, tool.id))) throw new AppError('api_key_needs_access');
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
    await audit(inside, {
      action: 'admin.api_key_generated',
      actorId: by.actorId,
      subjectType: 'user',
      subjectId: user.id,
      after: { keyId: id, toolId: tool.id, lastFour, expiresAt: expiresAt.toISOString() },
      ip: by.ip,
    });
    const until = formatSydneyDate(expiresAt);
    await notify(inside, {
      userId: user.id,
      type: 'system_alert',
      title: 'New API key',
      message: `An administrator made an API key to ${tool.name} for you. It ends in ${lastFour} and works until ${until}.`,
      actionUrl: '/dashboard',
      dedupeKey: `api-key:${id}`,
      mail: {
        kind: 'api-key',
        subject: `A new API key for your ${brand.name} account`,
        paragraphs: [
          `An administrator made an API key to ${tool.name} for you. It ends in ${lastFour} and works until ${until}, while your subscription lives.`,
          `If you did not ask for it, write to ${brand.supportEmail}.`,
        ],
      },
    });
    return { userEmail: user.email, apiKey, warning: sentences.keyWarning };
  });
}

/** The key is dead for the next introspection. */
export async function revokeApiKey(context: Context, by: By, id: string): Promise<void> {
  await transaction(context.db, async (tx) => {
    const key = await revokeKey(tx, id);
    if (!key) throw new AppError('api_key_not_found');
    await audit(within(context, tx), {
      action: 'admin.api_key_revoked',
      actorId: by.actorId,
      subjectType: 'user',
      subjectId: key.userId,
      before: { keyId: id, toolId: key.toolId, lastFour: key.lastFour },
      ip: by.ip,
    });
  });
}
