import { auditTrailOf } from '#server/audit/service.ts';
import { practices } from '#server/payers/service.ts';
import type { Db } from '#server/platform/data/database.ts';

export { announcementsOf, type AnnouncementRow } from './queries-announcements.ts';
export { everyHoldOf } from './queries-holds.ts';
export { reviewedTools } from './queries-pack.ts';
export { samplesOf } from './queries-samples.ts';

/** One time that a practice allowed a tool, or stopped it. */
export type Decided = {
  /** Null: what holds for tools without a decision. */
  toolId: string | null;
  allowed: boolean;
  /** What members were told. */
  reason: string | null;
  decidedAt: Date;
  /** Null where it is not on file. */
  decidedById: string | null;
};
type Rows = Awaited<ReturnType<typeof practices.decisionsOf>>;

const actions = ['team.tool_decided', 'team.tool_listed', 'team.new_tools_decided'] as const;

/** Every decision of a practice in order, as the audit trail has them; one that is older than the trail comes from its row. */
export async function decidedOf(db: Db, teamId: string): Promise<Decided[]> {
  const trail: Decided[] = [];
  for (const { action, actorId: decidedById, after, at: decidedAt } of await auditTrailOf(db, teamId, actions)) {
    const { toolId, reason, newToolsAllowed } = after ?? {};
    // Whoever lists a tool from elsewhere allows it.
    const allowed = action === 'team.tool_listed' ? true : after?.['allowed'];
    const made = { decidedAt, decidedById, reason: typeof reason === 'string' ? reason : null };
    if (typeof newToolsAllowed === 'boolean') trail.push({ ...made, toolId: null, allowed: newToolsAllowed });
    else if (typeof toolId === 'string' && typeof allowed === 'boolean') trail.push({ ...made, toolId, allowed });
  }
  const older = (await practices.decisionsOf(db, teamId)).flatMap((row) => lastOf(row, trail));
  return [...trail, ...older].toSorted((a, b) => a.decidedAt.getTime() - b.decidedAt.getTime());
}

/** The last decision that a row tells of, unless the trail has it. */
function lastOf(
  { toolId, allowed, allowedAt, reason, decidedAt, decidedById }: Rows[number],
  trail: Decided[],
): Decided[] {
  const known = trail.findLast((one) => one.toolId === toolId);
  if (allowed === null || (known && (allowedAt === null || known.decidedAt >= allowedAt))) return [];
  // An edit or a review after it may have overwritten who decided.
  const isOwn = allowedAt === null || allowedAt.getTime() === decidedAt.getTime();
  return [{ toolId, allowed, reason, decidedAt: allowedAt ?? decidedAt, decidedById: isOwn ? decidedById : null }];
}
