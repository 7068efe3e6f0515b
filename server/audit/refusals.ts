import type { ErrorRequestHandler } from 'express';
import { AppError } from '#server/platform/app-error.ts';
import { calledBy, type Context } from '#server/platform/context.ts';
import { hasBudget, originOf } from '#server/platform/rate-limit.ts';
import { audit } from './service.ts';

const actionOf = ({ code }: AppError) => {
  if (code === 'rate_limited') return 'refused.too_many';
  return code === 'admin_required' || code === 'csrf_invalid' ? 'refused.administrators_call' : null;
};

/** Records callers who ran into a limit, or called as administrators who are none; a few times, however often they do it. */
export const auditRefusals =
  (context: Context): ErrorRequestHandler =>
  (error, req, _res, next) => {
    const action = error instanceof AppError ? actionOf(error) : null;
    // Sign-in records its own, with the account.
    if (action === null || req.path === '/api/login') return next(error);
    const called = calledBy(context, req);
    const call = `${req.method} ${req.path.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, ':id').slice(0, 100)}`;
    const record = async () => {
      const caller = called.caller?.actorId ?? originOf(called);
      if (!(await hasBudget(called, 'auditRefusal', `${caller} ${action} ${call}`))) return;
      if (await hasBudget(called, 'auditFlood', 'all')) await audit(called, action, { after: { call } });
    };
    // Written before the answer, so that who reads the log afterwards finds it.
    record().then(
      () => next(error),
      (fault: unknown) => {
        context.log.warn({ err: fault }, 'refusal not recorded');
        next(error);
      },
    );
  };
