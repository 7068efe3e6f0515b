import type { Request } from 'express';
import { rememberDays } from '#shared/rules/people/factors.ts';
import { day, plus } from '#shared/rules/dates.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { cookieIn, cookieName, cookieOptions } from '#server/platform/http/cookies.ts';
import { deviceName } from '#server/platform/http/device-name.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import { insertDevice, noteDeviceUse } from './queries.ts';

const cookie = 'remembered';

/** Lets this browser sign in with the password alone for 30 days, or until the password changes. */
export async function rememberDevice(context: Context, request: Request, user: ActorRow): Promise<void> {
  const token = newToken();
  const now = realNow();
  await insertDevice(context.db, {
    userId: user.id,
    token: hashToken(token),
    authEpoch: user.authEpoch,
    device: deviceName(request.get('user-agent') ?? null),
    createdAt: now,
    lastUsedAt: now,
    expiresAt: plus(now, rememberDays * day),
  });
  const options = { ...cookieOptions(context.env), sameSite: 'strict', maxAge: rememberDays * day } as const;
  request.res?.cookie(cookieName(context.env, cookie), token, options);
}

export async function isRemembered(context: Context, request: Request, user: ActorRow): Promise<boolean> {
  const token = cookieIn(context.env, request.headers.cookie, cookie);
  if (token === undefined) return false;
  return noteDeviceUse(context.db, user.id, user.authEpoch, hashToken(token));
}
