import { and, eq, isNull } from 'drizzle-orm';
import type { Request } from 'express';
import { toolSecrets } from '#shared/schema/tools.ts';
import { AppError } from './app-error.ts';
import type { Context } from './context.ts';
import { consumeByAddress } from './rate-limit.ts';
import { hashToken } from './tokens.ts';

/** A tool's server that has proved its secret. */
export type ToolActor = { toolId: string };

declare global {
  namespace Express {
    interface Request {
      tool?: ToolActor;
    }
  }
}

type Credentials = { id: string; secret: string };

/** RFC 6749 (2.3.1) has both parts encoded like a form's; ours have nothing to encode, so that plain ones stay as they are. */
const formDecoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
};

/** Id and secret of HTTP Basic (RFC 7617), or null where the header is missing or malformed. */
export function basicCredentials(header: string | undefined): Credentials | null {
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

/** The tool that a request's credentials belong to, in its header or else its form; 401 where there is none. */
export async function authenticateTool(context: Context, request: Request): Promise<ToolActor> {
  const header = request.get('authorization');
  const given = header === undefined ? formCredentials(request.body) : basicCredentials(header);
  if (given && given.id.length <= 64) {
    const live = and(
      eq(toolSecrets.toolId, given.id),
      eq(toolSecrets.secretHash, hashToken(given.secret)),
      isNull(toolSecrets.revokedAt),
    );
    const [row] = await context.db.select({ toolId: toolSecrets.toolId }).from(toolSecrets).where(live).limit(1);
    if (row) return row;
  }
  // Only failures count, so that a busy tool is never limited.
  await consumeByAddress(context, 'toolCredentialsIp');
  request.res?.set('www-authenticate', 'Basic realm="tools", charset="UTF-8"');
  throw new AppError('invalid_tool_credentials');
}
