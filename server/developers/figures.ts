import type { Reply } from '#shared/api/endpoint.ts';
import type { developersApi } from '#shared/api/developers.ts';
import { cancellationReasons } from '#shared/rules/billing/cancellation.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { figureDays, shownCount, shownShare } from '#shared/rules/tools/figures.ts';
import { forAdministrators } from '#server/subscriptions/service.ts';
import { reviewShares } from '#server/usage/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { requireOwnTool } from './own-tools.ts';
import { trialsOf } from './queries-trials.ts';

/** How a tool does, for its maker: counts alone, and none about too few people. */
export async function figuresOf(
  { db, now }: Context,
  actor: ActorRow,
  toolId: string,
): Promise<Reply<typeof developersApi.figures>> {
  await requireOwnTool(db, actor, toolId);
  const has = (await forAdministrators.subscribersByTool(db, toolId)).get(toolId);
  const trials = await trialsOf(db, toolId);
  const left = await forAdministrators.reasonsOf(db, toolId);
  const used = await reviewShares(db, toolId, plus(now(), -figureDays * day));
  return {
    subscribers: has?.subscribers ?? 0,
    trials: shownCount(has?.trials ?? 0),
    trialsBegun: shownCount(trials.begun),
    trialsPaid: shownCount(trials.paid),
    reasons: cancellationReasons.map((reason) => ({
      reason,
      people: shownCount(left.find((one) => one.reason === reason)?.people ?? 0),
    })),
    users: shownCount(used.people),
    reviewedPercent: shownShare(used.reviewed, used.sessions),
    notCheckedPercent: shownShare(used.notChecked, used.sessions),
  };
}
