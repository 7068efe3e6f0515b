import type { RequestHandler } from 'express';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { isWithin } from '#server/platform/networks.ts';

/** Refuses the administrators' area to whoever calls from another network than those that are allowed; without a list nobody. */
export const adminNetworks =
  ({ env: { adminNetworks: allowed } }: Context): RequestHandler =>
  (req, _res, next) => {
    if (allowed && !isWithin(allowed, req.ip)) throw new AppError('admin_network');
    next();
  };
