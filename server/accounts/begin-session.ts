import type { Request } from 'express';
import type { ActorRow } from '#server/platform/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { rememberDevice } from '#server/platform/known-device.ts';
import { signIn } from '#server/platform/session.ts';

/** Signs this browser in, whatever proved who it is, and makes it known to the account. */
export async function beginSession({ env }: Context, request: Request, user: ActorRow): Promise<void> {
  await signIn(request, user);
  rememberDevice(env, request, user.email);
}
