import type { Request, RequestHandler } from 'express';
import type { Endpoint } from '#shared/api/endpoint.ts';
import type { ActorRow } from './actor.ts';
import { AppError } from './app-error.ts';
import { calledBy, type Context } from '../context.ts';
import { requireCsrfToken } from './csrf.ts';
import type { Env } from '../env.ts';
import { hasProved } from './session.ts';
import { authenticateTool } from '../crypto/tool-credentials.ts';

/** Why this user may not call, or null. The rights are from the user's row as read for this request. */
export function refusal({ access }: Endpoint, user: ActorRow | null, { adminFactor }: Env): AppError | null {
  if (access === 'public' || access === 'tool') return null;
  if (!user) return new AppError('unauthorized');
  if (access === 'admin' && !user.isAdmin) return new AppError('admin_required');
  if (access === 'admin' && adminFactor && !user.hasSecondFactor) return new AppError('factor_required');
  if (access === 'member' && !user.profileCompleted) return new AppError('profile_incomplete');
  return null;
}

export const isAdminWrite = ({ access, method }: Endpoint) => access === 'admin' && method !== 'GET';

/** Whether this call needs proof of who sends it. */
function asksProof({ proof }: Endpoint, req: Request): boolean {
  if (proof === 'team') return (req.body as { teamId?: unknown } | undefined)?.teamId !== undefined;
  return proof === 'always' || (proof === 'factor' && req.user?.hasSecondFactor === true);
}

/** What runs before a call: who asks, whether they may, and whether it is they. */
export function authorise(endpoint: Endpoint, context: Context): RequestHandler[] {
  const { access } = endpoint;
  if (access === 'tool') {
    return [
      async (req, _res, next) => {
        req.tool = await authenticateTool(calledBy(context, req), req);
        next();
      },
    ];
  }
  const guard: RequestHandler = (req, _res, next) => {
    // A tab that still shows the previous person must not act for the next one.
    const madeFor = req.get('x-made-for');
    if (madeFor !== undefined && req.user && req.user.id !== madeFor) throw new AppError('other_account');
    const refused = refusal(endpoint, req.user ?? null, context.env);
    if (refused) throw refused;
    next();
  };
  const proof: RequestHandler = (req, _res, next) => {
    if (asksProof(endpoint, req) && !hasProved(req)) throw new AppError('proof_needed');
    next();
  };
  return isAdminWrite(endpoint) ? [guard, requireCsrfToken, proof] : [guard, proof];
}
