import type { OwnApiKey } from '#shared/api/security.ts';
import { apiKeyLimit, maskedKey } from '#shared/rules/operators/admin.ts';
import { listKeys, revokeKey } from '#server/access-tokens/service.ts';
import { auditOwnAccount } from '#server/audit/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';

/** The keys that administrators made for this person and nobody has revoked. */
export async function ownKeys({ db }: Context, actor: ActorRow): Promise<OwnApiKey[]> {
  const rows = await listKeys(db, apiKeyLimit, [actor.id]);
  return rows.map(({ lastFour, ...row }) => ({ ...row, token: maskedKey(lastFour) }));
}

/** Revokes one of them; from the next introspection on it fails. Somebody else's is not found. */
export async function revokeOwnKey(context: Context, actor: ActorRow, id: string): Promise<void> {
  await inTransaction(context, async (inside, tx) => {
    const key = await revokeKey(tx, id, actor.id);
    if (!key) throw new AppError('api_key_not_found');
    await auditOwnAccount(inside, 'account.api_key_revoked', actor.id, {
      before: { keyId: id, toolId: key.toolId, lastFour: key.lastFour },
    });
  });
}
