import { detachCards, teamPayer } from '#server/billing/service.ts';
import type { Context } from '#server/platform/context.ts';
import { endEverything, withdrawPurchases } from '#server/subscriptions/service.ts';

export const detachCardsJob = 'detach-team-cards';
export const endClosedJob = 'end-closed-team';

/** The old owner's cards, and what they were about to buy with one, are the team's no longer; what came since stays. */
async function letGo(context: Context, teamId: string, until: Date): Promise<void> {
  await withdrawPurchases(context, teamPayer(teamId), until);
  await detachCards(context, teamPayer(teamId), until);
}

/** Makes the jobs that requests of this noun send known to the queue. */
export async function defineTeamJobs(context: Context): Promise<void> {
  const patient = { retryLimit: 10, retryDelaySeconds: 15, expireInSeconds: 120 };
  await context.queue.define<{ teamId: string; until: string }>(detachCardsJob, patient, ({ teamId, until }) =>
    letGo(context, teamId, new Date(until)),
  );
  await context.queue.define<{ teamId: string }>(endClosedJob, patient, async ({ teamId }) => {
    await endEverything(context, teamPayer(teamId));
    await detachCards(context, teamPayer(teamId), context.now());
  });
}

/** The same at once; where the provider is away, the job that was sent with the change does it. */
export async function detachNow(context: Context, teamId: string, until: Date): Promise<void> {
  try {
    await letGo(context, teamId, until);
  } catch (error) {
    context.log.warn({ err: error, teamId }, 'cards are detached later');
  }
}
