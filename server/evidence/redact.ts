import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { closedRecordApi, evidenceApi } from '#shared/api/evidence.ts';
import { type Redacted, redactAsAdmin, redactAsOwner, sessionOf } from '#server/record/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { withdrawPacks } from './queries.ts';

type Line = { teamId: string; id: string };

/** Withdraws the packs that may hold a line that is redacted with them: their files go, their heads stay. */
const withPacks = (context: Context, { teamId }: Line, take: (inside: Context) => Promise<Redacted>) =>
  inTransaction(context, async (inside, tx) => {
    const line = await take(inside);
    await withdrawPacks(tx, { ...line, teamId });
    return line;
  });

/** The owner redacts a line of a practice's record. */
export async function redact(
  context: Context,
  actor: ActorRow,
  line: Line,
  { reason }: Input<typeof evidenceApi.redact>['body'],
): Promise<Reply<typeof evidenceApi.redact>> {
  const { sessionId } = await withPacks(context, line, (inside) => redactAsOwner(inside, actor, line, reason));
  return sessionOf(context, actor, sessionId);
}

/** An administrator redacts a line of a closed practice's record. */
export const redactClosed = (context: Context, line: Line, { reason }: Input<typeof closedRecordApi.redact>['body']) =>
  withPacks(context, line, (inside) => redactAsAdmin(inside, line, reason));
