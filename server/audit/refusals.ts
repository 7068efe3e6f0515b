import type { ErrorRequestHandler } from 'express';
import { AppError } from '#server/platform/http/app-error.ts';
import { calledBy, type Context } from '#server/platform/context.ts';
import { hasBudget, originOf } from '#server/platform/http/rate-limit.ts';
import { audit } from './service.ts';

const actionOf = ({ code }: AppError) => {
  if (code === 'rate_limited') return 'refused.too_many';
  if (code === 'admin_network') return 'refused.administrators_network';
  return code === 'admin_required' || code === 'csrf_invalid' ? 'refused.administrators_call' : null;
};

/** Records the first few in a quarter of an hour, however many follow. */
async function record(called: Context, action: NonNullable<ReturnType<typeof actionOf>>, call: string): Promise<void> {
  const caller = called.caller?.actorId ?? originOf(called);
  if (!(await hasBudget(called, 'auditRefusal', `${caller} ${action} ${call}`))) return;
  if (await hasBudget(called, 'auditFlood', 'all')) await audit(called, action, { after: { call } });
}

const uuids = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Records, before the reply, who ran into a limit and whose call of the administrators' area was refused. */
export const auditRefusals =
  (context: Context): ErrorRequestHandler =>
  async (refused: unknown, req, _res, next) => {
    const action = refused instanceof AppError ? actionOf(refused) : null;
    // Sign-in records its own refusals, with the account.
    if (action !== null && req.path !== '/api/login') {
      const call = `${req.method} ${req.path.replace(uuids, ':id').slice(0, 100)}`;
      await record(calledBy(context, req), action, call).catch((fault: unknown) =>
        context.log.warn({ err: fault }, 'refusal not recorded'),
      );
    }
    next(refused);
  };
