import { detachCardsGivenUntil } from '#server/billing/service.ts';
import { teamPayer } from '#server/payers/service.ts';
import { endEverything, withdrawPurchases } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';

export const detachCardsJob = 'detach-team-cards';
export const endClosedJob = 'end-closed-team';

/** Withdraws the team's unconfirmed purchases and detaches its cards from before `until`; later ones stay. */
async function detachOldCards(context: Context, teamId: string, until: Date): Promise<void> {
  await withdrawPurchases(context, teamPayer(teamId), until);
  await detachCardsGivenUntil(context, teamPayer(teamId), until);
}

export async function defineTeamJobs(context: Context): Promise<void> {
  const patient = { retryLimit: 10, retryDelaySeconds: 15, expireInSeconds: 120 };
  await context.queue.define<{ teamId: string; until: string }>(detachCardsJob, patient, ({ teamId, until }) =>
    detachOldCards(context, teamId, new Date(until)),
  );
  await context.queue.define<{ teamId: string }>(endClosedJob, patient, async ({ teamId }) => {
    await endEverything(context, teamPayer(teamId));
    await detachCardsGivenUntil(context, teamPayer(teamId), context.now());
  });
}

/** Does so at once; if Stripe is unavailable, the job sent with the change does it later. */
export async function detachOldCardsNow(context: Context, teamId: string, until: Date): Promise<void> {
  try {
    await detachOldCards(context, teamId, until);
  } catch (error) {
    context.log.warn({ err: error, teamId }, 'cards are detached later');
  }
}
