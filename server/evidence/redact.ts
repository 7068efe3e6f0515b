import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { evidenceApi } from '#shared/api/evidence.ts';
import { redactStatement, sessionOf } from '#server/record/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { withdrawPacks } from './queries.ts';

/** Redacts a line of a practice's record, and withdraws the packs that may hold it: their files go, their heads stay. */
export async function redact(
  context: Context,
  actor: ActorRow,
  params: { teamId: string; id: string },
  { reason }: Input<typeof evidenceApi.redact>['body'],
): Promise<Reply<typeof evidenceApi.redact>> {
  const { sessionId } = await inTransaction(context, async (inside, tx) => {
    const line = await redactStatement(inside, actor, params, reason);
    await withdrawPacks(tx, { ...line, teamId: params.teamId });
    return line;
  });
  return sessionOf(context, actor, sessionId);
}
