import csurf from 'csurf';
import type { Request, RequestHandler } from 'express';

/**
 * csurf in session mode for administrative writes. It reads the body's `_csrf` or the `X-CSRF-Token` header only; its
 * default would also take the token from the query, where logs and referrers leak it. It is mounted behind the
 * administrator check, because it stores a secret in the session of whoever passes.
 */
const guard = csurf({
  value: (req) => {
    const fromBody: unknown = (req.body as Record<string, unknown> | undefined)?.['_csrf'];
    return typeof fromBody === 'string' ? fromBody : (req.get('x-csrf-token') ?? '');
  },
});

/** Refuses a write without the session's token, then takes `_csrf` out of the body, which no endpoint lists. */
export const requireCsrfToken: RequestHandler = (req, res, next) =>
  guard(req, res, (error?: unknown) => {
    if (error) return next(error);
    if (req.body && typeof req.body === 'object') delete (req.body as Record<string, unknown>)['_csrf'];
    return next();
  });

/** The session's token; it dies with the session id, so the client asks again after a 403. */
export function issueCsrfToken(request: Request): Promise<string> {
  return new Promise((resolve, reject) => {
    guard(request, request.res!, (error?: unknown) => (error ? reject(error) : resolve(request.csrfToken())));
  });
}
