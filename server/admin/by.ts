import type { Request } from 'express';
import type { ActorRow } from '#server/platform/actor.ts';

/** Who acts, and from where: what an audit row keeps. */
export type By = { actorId: string; ip: string | undefined };

export const byOf = ({ actor, request }: { actor: ActorRow; request: Request }): By => ({
  actorId: actor.id,
  ip: request.ip,
});
