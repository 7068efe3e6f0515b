import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import type { ErrorBody } from '#shared/api/errors.ts';
import { AppError } from './app-error.ts';
import { databaseErrorOf } from '../data/database.ts';

/** Faults that the next try may not meet: a lost connection, an empty pool, a Postgres that is starting, frozen, full or a standby. */
const passingText =
  /timeout e(?:xceeded|xpired)|Query read timeout|Connection terminated|is not queryable|Cannot use a pool|could not (?:extend|write)|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/;
const passingCode = /^(08|53|57P|58|ECONN|EPIPE|ETIMEDOUT)|^(57014|55P03|25006|25P03|40001|40P01|XX002)$/;

function fromDatabase(error: unknown): AppError | null {
  const cause = databaseErrorOf(error);
  if (!cause) return null;
  const code = cause.code ?? '';
  if (passingCode.test(code) || passingText.test(cause.message))
    return new AppError('busy', { retryAfterSeconds: 2, cause: error });
  if (code.startsWith('22')) return new AppError('malformed_request', { cause: error });
  if (code === '23505') return new AppError('conflict', { cause: error });
  return null;
}

/** Faults of body-parser, csurf and the router, which have a status. */
function fromHttp(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null;
  const { status, code } = error as Error & { status?: number; code?: string };
  if (code === 'EBADCSRFTOKEN') return new AppError('csrf_invalid');
  if (status === 413) {
    const kilobytes = Math.floor(Number((error as Error & { limit?: number }).limit) / 1024);
    return new AppError(
      'payload_too_large',
      kilobytes ? { fields: { body: `At most ${kilobytes} kB are taken.` } } : {},
    );
  }
  if (status === 415) return new AppError('unsupported_media_type');
  if (status !== undefined && status >= 400 && status < 500) return new AppError('malformed_request', { cause: error });
  return null;
}

/** Turns any error into an answer: a refusal, a passing fault, or a bug. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return fromHttp(error) ?? fromDatabase(error) ?? new AppError('internal', { cause: error });
}

/** Whether the database or Stripe was away or busy: a later try may succeed, and nobody has to look for a bug. */
export const isPassing = (error: unknown): boolean => toAppError(error).status === 503;

/** What OAuth libraries read of a refusal; null unless a tool's server asked. */
const oauthError = ({ code, status }: AppError, req: Request): ErrorBody['error'] | null => {
  if (code === 'invalid_tool_credentials') return 'invalid_client';
  return req.tool && status >= 400 && status < 500 && status !== 429 ? 'invalid_request' : null;
};

export const errorHandler: ErrorRequestHandler = (error, req, res, next) => {
  const refused = toAppError(error);
  // A refusal without a cause is our own; in a flood, logging its stack would cost more than refusing.
  if (refused.status >= 500)
    req.log[refused.code === 'internal' ? 'error' : 'warn'](
      { requestId: req.id, ...(refused.cause !== undefined && { err: refused.cause }), code: refused.code },
      'request failed',
    );
  if (res.headersSent) return next(error);
  // During a release, a file that one server lacks is there on the next.
  res.set('cache-control', 'no-store');
  if (refused.retryAfterSeconds !== undefined) res.set('retry-after', String(refused.retryAfterSeconds));
  const oauth = oauthError(refused, req);
  const body: ErrorBody = {
    code: refused.code,
    message: refused.message,
    ...(refused.fields && { fields: refused.fields }),
    ...(refused.quote && { quote: refused.quote }),
    requestId: req.id,
    ...(oauth && { error: oauth }),
  };
  res.status(refused.status).json(body);
};

/** Answers an unknown call with JSON, never with a page. */
export const unknownCall: RequestHandler = () => {
  throw new AppError('not_found');
};
