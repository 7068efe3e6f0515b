import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Request } from 'express';
import { minute, plus } from '#shared/rules/dates.ts';
import { toolChecks, tools, toolSecrets } from '#shared/schema/tools.ts';
import { AppError } from '../http/app-error.ts';
import { realNow } from '../clock.ts';
import type { Context } from '../context.ts';
import { consumeByAddress, tellLimit } from '../http/rate-limit.ts';
import { together } from '../data/together.ts';
import { hashToken } from './tokens.ts';

/** A tool's server that has proved its secret; `draft` until it is published, `examined` while a check that its maker began is running. */
export type ToolActor = { toolId: string; draft: boolean; examined: boolean };

declare global {
  namespace Express {
    interface Request {
      tool?: ToolActor;
    }
  }
}

type Credentials = { id: string; secret: string };

/** RFC 6749 (2.3.1) wants both parts form-encoded; ours contain nothing to encode, so plain ones stay as they are. */
const formDecoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
};

/** Who a tool's server says it is, in its header or else its form. */
export function claimedTool(request: Request): Credentials | null {
  const header = request.get('authorization');
  return header === undefined ? formCredentials(request.body) : basicCredentials(header);
}

/** Id and secret of HTTP Basic (RFC 7617), or null if the header is missing or malformed. */
function basicCredentials(header: string | undefined): Credentials | null {
  const encoded = /^Basic ([A-Za-z0-9+/=_-]+)$/i.exec(header ?? '')?.[1];
  if (!encoded) return null;
  const [first = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const [id, secret] = [formDecoded(first), formDecoded(rest.join(':'))];
  return id && secret !== null && rest.length > 0 && !id.includes('\0') ? { id, secret } : null;
}

/** Id and secret among a form's fields (`client_secret_post`). */
function formCredentials(body: unknown): Credentials | null {
  const { client_id: id, client_secret: secret } = (body ?? {}) as Record<string, unknown>;
  return typeof id === 'string' && typeof secret === 'string' && !id.includes('\0') ? { id, secret } : null;
}

/** A secret in steady use writes to the database at most this often. */
const touchMs = 5 * minute;

async function noteUse({ db }: Context, { id, lastUsedAt }: { id: string; lastUsedAt: Date | null }): Promise<void> {
  const now = realNow();
  if (lastUsedAt && plus(lastUsedAt, touchMs) > now) return;
  await db.update(toolSecrets).set({ lastUsedAt: now }).where(eq(toolSecrets.id, id));
}

/** The live secret for calls with this hash; a revoked one stops working at once. */
const findLiveSecret = together((db) => {
  const { id, toolId, kind, secretHash, lastUsedAt, revokedAt } = toolSecrets;
  const query = db
    .select({
      id,
      toolId,
      secretHash,
      lastUsedAt,
      isActive: tools.isActive,
      examined: isNotNull(toolChecks.toolId).mapWith(Boolean),
    })
    .from(toolSecrets)
    .innerJoin(tools, eq(tools.id, toolId))
    .leftJoin(
      toolChecks,
      and(eq(toolChecks.toolId, toolId), isNotNull(toolChecks.startedAt), isNull(toolChecks.finishedAt)),
    )
    .where(and(sql`${secretHash} = any(${sql.placeholder('hashes')}::text[])`, eq(kind, 'call'), isNull(revokedAt)))
    .prepare('live_tool_secrets');
  return async (hashes) => (await query.execute({ hashes })).map((row) => [row.secretHash, row] as const);
});

/** The tool that a request's credentials, in its header or else its form, belong to; 401 if there is none. */
export async function authenticateTool(context: Context, request: Request): Promise<ToolActor> {
  tellLimit(context, request.res, 'toolCredentialsIp');
  const given = claimedTool(request);
  if (given && given.id.length <= 64) {
    const row = await findLiveSecret(context.db, hashToken(given.secret));
    if (row?.toolId === given.id) {
      await noteUse(context, row);
      return { toolId: row.toolId, draft: !row.isActive, examined: row.examined };
    }
  }
  // Only failures count, so that a busy tool is never limited.
  await consumeByAddress(context, 'toolCredentialsIp');
  request.res?.set('www-authenticate', 'Basic realm="tools", charset="UTF-8"');
  throw new AppError('invalid_tool_credentials');
}
