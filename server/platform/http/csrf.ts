import { promisify } from 'node:util';
import csurf from 'csurf';
import type { Request, RequestHandler } from 'express';

/**
 * csurf in session mode for administrators' writes. It reads only the body's `_csrf` or the `X-CSRF-Token` header; its default
 * also reads the query, where logs and referrers would leak the token. It runs after the administrator check, because it stores
 * a secret in the session.
 */
const guard = csurf({
  value: (req) => {
    const fromBody: unknown = (req.body as Record<string, unknown> | undefined)?.['_csrf'];
    return typeof fromBody === 'string' ? fromBody : (req.get('x-csrf-token') ?? '');
  },
});

/** Refuses a write without the session's token, then removes `_csrf` from the body, since no endpoint lists it. */
export const requireCsrfToken: RequestHandler = (req, res, next) =>
  guard(req, res, (error?: unknown) => {
    if (error) return next(error);
    if (req.body && typeof req.body === 'object') delete (req.body as Record<string, unknown>)['_csrf'];
    return next();
  });

/** The session's token. It ends with the session id, so the client asks for another after a 403. */
export async function issueCsrfToken(request: Request): Promise<string> {
  await promisify(guard)(request, request.res!);
  return request.csrfToken();
}
