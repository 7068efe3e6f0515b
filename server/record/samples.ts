import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { recordApi } from '#shared/api/record.ts';
import { requireTeamRight } from '#server/teams/service.ts';
import { register } from '#server/usage/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { findSample, insertSample } from './queries-samples.ts';

/** Draws sessions of others at random, since nobody signs off their own, and keeps which ones. */
export async function drawSample(
  context: Context,
  actor: ActorRow,
  teamId: string,
  { size, unstated = false, ...chosen }: Input<typeof recordApi.drawSample>['body'],
): Promise<Reply<typeof recordApi.drawSample>> {
  await requireTeamRight(context.db, teamId, actor.id, 'seeUsage');
  await consume(context, 'samples', actor.id);
  return inTransaction(context, async (inside, tx) => {
    const ofOthers = { ...chosen, unstated, teamId, notUserId: actor.id };
    const drawn = await register.drawFrom(tx, ofOthers, size);
    if (drawn.ids.length === 0) throw new AppError('sample_empty');
    const { id } = await insertSample(tx, {
      teamId,
      userId: actor.id,
      drawnFrom: drawn.from,
      sessionIds: drawn.ids,
      fromDay: chosen.from ?? null,
      toDay: chosen.to ?? null,
      toolId: chosen.toolId ?? null,
      adviserId: chosen.userId ?? null,
      unreviewedOnly: unstated,
      drawnAt: inside.now(),
    });
    return { id };
  });
}

/** A practice's sample, for its register. */
export const requireSample = (db: Db, teamId: string, id: string) =>
  orRefuse(findSample(db, teamId, id), 'sample_not_found');

/** From how many the sample was drawn that these sessions are said to be of; null where they were chosen. */
export async function drawnFrom(
  db: Db,
  teamId: string,
  { sampleId, ids }: { sampleId: string | null; ids: readonly string[] },
): Promise<number | null> {
  if (sampleId === null) return null;
  const sample = await findSample(db, teamId, sampleId);
  if (!sample) throw fieldError('sampleId', 'The practice has no such sample');
  const drawn = new Set(sample.sessionIds);
  if (!ids.every((id) => drawn.has(id))) throw fieldError('ids', 'Not all of these sessions are of that sample');
  return sample.drawnFrom;
}
