import type { ErrorRequestHandler, RequestHandler } from 'express';
import type * as z from 'zod';
import type { ErrorBody } from '#shared/api/errors.ts';
import { AppError } from './app-error.ts';
import { databaseErrorOf } from './database.ts';

/** Field → first sentence, in the order of the schema's checks. */
function fieldsOf(error: z.core.$ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.') || 'body'];
    for (const name of names)
      fields[name] ??= issue.code === 'unrecognized_keys' ? `Unknown field: ${name}` : issue.message;
  }
  return fields;
}

/** Parses what the caller sent; faults name their fields. A ZodError from anywhere else is a bug of ours. */
export function parseInput(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (!result.success) throw new AppError('invalid_input', { fields: fieldsOf(result.error) });
  return result.data;
}

/** Faults that pass when tried again: the connection is gone, the pool is empty, Postgres is starting, frozen or full. */
const passingText =
  /timeout e(?:xceeded|xpired)|Query read timeout|Connection terminated|is not queryable|Cannot use a pool|could not (?:extend|write)|ECONNREFUSED|ECONNRESET|ENOTFOUND/;
const passingCode = /^(08|53|57P|58|ECONN|EPIPE|ETIMEDOUT)|^(57014|55P03|25P03|40001|40P01|XX002)$/;

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

/** Faults of the HTTP layer: body-parser, csurf and the router mark theirs with a status. */
function fromHttp(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null;
  const { status, code } = error as Error & { status?: number; code?: string };
  if (code === 'EBADCSRFTOKEN') return new AppError('csrf_invalid');
  if (status === 413) return new AppError('payload_too_large');
  if (status === 415) return new AppError('unsupported_media_type');
  if (status !== undefined && status >= 400 && status < 500) return new AppError('malformed_request', { cause: error });
  return null;
}

/** Refused, invalid, or a bug: the one place where an error becomes an answer (decisions §13). */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return fromHttp(error) ?? fromDatabase(error) ?? new AppError('internal', { cause: error });
}

export const errorHandler: ErrorRequestHandler = (error, req, res, next) => {
  const refused = toAppError(error);
  if (refused.status >= 500)
    req.log[refused.code === 'internal' ? 'error' : 'warn'](
      { requestId: req.id, err: refused.cause ?? refused, code: refused.code },
      'request failed',
    );
  if (res.headersSent) return next(error);
  if (refused.retryAfterSeconds !== undefined) res.set('retry-after', String(refused.retryAfterSeconds));
  const body: ErrorBody = {
    code: refused.code,
    message: refused.message,
    ...(refused.fields && { fields: refused.fields }),
    requestId: req.id,
  };
  res.status(refused.status).json(body);
};

/** Ends the API: an unknown call is JSON, never the page. */
export const unknownCall: RequestHandler = () => {
  throw new AppError('not_found');
};
