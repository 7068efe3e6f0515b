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

/** Id and secret of HTTP Basic (RFC 7617), or null where the header is missing or malformed. */
export function basicCredentials(header: string | undefined): { id: string; secret: string } | null {
  const encoded = /^Basic ([A-Za-z0-9+/=_-]+)$/i.exec(header ?? '')?.[1];
  if (!encoded) return null;
  const [id, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return id && rest.length > 0 && !id.includes('\0') ? { id, secret: rest.join(':') } : null;
}

/** The tool that a request's HTTP Basic credentials belong to, else 401. */
export async function authenticateTool(context: Context, request: Request): Promise<ToolActor> {
  const given = basicCredentials(request.get('authorization'));
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
