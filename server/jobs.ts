import { businessZone } from '#shared/rules/dates.ts';
import { carryOutResets, defineAccountJobs, pruneAccounts, resealFactors } from '#server/accounts/jobs.ts';
import { correctRanking, defineAdminJobs, refreshBusiness, tellIncidents } from '#server/admin/jobs.ts';
import { mailCopies } from '#server/books/copies.ts';
import { sendStatements } from '#server/books/statements.ts';
import { closeSilentSessions, defineAnalyticsJobs, startMonthlyReports } from '#server/analytics/jobs.ts';
import { checkStripeAccount, defineBillingJobs, readMissedEvents } from '#server/billing/jobs.ts';
import { defineDeveloperJobs } from '#server/developers/jobs.ts';
import { defineEvidenceJobs, prunePacks, resumePacks } from '#server/evidence/jobs.ts';
import { blankOldNotices } from '#server/notifications/list.ts';
import { defineCookieIncident } from '#server/platform/http/cookies.ts';
import type { Context } from '#server/platform/context.ts';
import type { Payer } from '#server/payers/service.ts';
import { defineRecallJobs, remindOfRecalls, tellRecalls } from '#server/recalls/jobs.ts';
import {
  defineRecordJobs,
  forgetOldRecord,
  remindOfStatements,
  settleAsks,
  tellAnnouncements,
  tellReviewsDue,
} from '#server/record/jobs.ts';
import {
  beginBills,
  expireSubscriptions,
  followSuspension,
  joinOneBill,
  mirrorBill,
  reconcileSubscriptions,
  remindOfRenewals,
  resumePurchases,
  settleBills,
  settleOrEnd,
  tellBillOf,
  tellBills,
  tellUnpaidBills,
} from '#server/subscriptions/jobs.ts';
import { defineTeamJobs } from '#server/teams/jobs.ts';
import {
  defineToolJobs,
  deliverDueEvents,
  followErasures,
  pruneLaunchTokens,
  pruneToolEvents,
  resealSigningSecrets,
  tellEndedByClock,
} from '#server/tools/jobs.ts';

/** Jobs that find their own work, so that any replica may run them at any time, even twice. Name → [when, what, for how long]. */
const scheduled = {
  'resume-purchases': ['* * * * *', resumePurchases],
  'begin-bills': ['* * * * *', beginBills],
  // Before joining, which marks rows as just looked at: for a minute, expiring takes no such row.
  'expire-subscriptions': ['* * * * *', expireSubscriptions],
  'join-one-bill': ['* * * * *', joinOneBill],
  'settle-bills': ['* * * * *', settleBills],
  'reconcile-subscriptions': ['* * * * *', reconcileSubscriptions],
  'tell-ended-by-clock': ['* * * * *', tellEndedByClock],
  'deliver-due-events': ['* * * * *', deliverDueEvents],
  'settle-asks': ['* * * * *', settleAsks],
  'mail-copies': ['*/5 * * * *', mailCopies],
  'tell-recalls': ['*/3 * * * *', tellRecalls],
  'tell-announcements': ['*/5 * * * *', tellAnnouncements],
  'tell-incidents': ['*/5 * * * *', tellIncidents],
  'read-missed-events': ['12 * * * *', readMissedEvents],
  // In the evening, so that all who joined a team that day stand in one mail.
  'tell-bills': ['0 18,19,20 * * *', (context) => tellBills(context)],
  'tell-unpaid': ['0 9,12,17 * * *', tellUnpaidBills],
  // A morning in Sydney is the same calendar day in every Australian zone; noon makes up for a missed morning.
  'remind-of-renewals': ['0 7,12 * * *', remindOfRenewals],
  // On Mondays; Tuesday makes up for a missed one.
  'remind-of-statements': ['0 8 * * 1,2', remindOfStatements],
  'remind-of-recalls': ['20 8 * * 1,2', remindOfRecalls],
  'tell-reviews-due': ['15 8 * * *', tellReviewsDue],
  'forget-old-record': ['55 3 * * *', forgetOldRecord],
  'reset-second-factors': ['*/5 * * * *', carryOutResets],
  // Has work only after a start with a new secret.
  'reseal-factors': ['0 4 * * *', resealFactors],
  'prune-accounts': ['30 3 * * *', pruneAccounts],
  'prune-launch-tokens': ['40 3 * * *', pruneLaunchTokens],
  'follow-erasures': ['10 4 * * *', followErasures],
  'reseal-signing-secrets': ['5 4 * * *', resealSigningSecrets],
  'prune-tool-events': ['45 3 * * *', pruneToolEvents],
  'close-silent-sessions': ['20 * * * *', closeSilentSessions],
  'resume-packs': ['*/5 * * * *', resumePacks],
  'prune-packs': ['55 3 * * *', prunePacks],
  'blank-old-notices': ['50 3 * * *', blankOldNotices],
  'correct-ranking': ['35 3 * * *', correctRanking],
  // From the first of July on; each run takes some of the payers.
  'send-statements': ['*/5 7-20 * 7-9 *', sendStatements],
  // On the 1st; the days after it make up for a missed run.
  'monthly-reports': ['30 8 1-7 * *', startMonthlyReports],
  // Last, since it takes longest.
  'refresh-business': ['40 * * * *', refreshBusiness, 600],
} as const satisfies Record<
  string,
  readonly [cron: string, run: (context: Context) => Promise<unknown>, expireInSeconds?: number]
>;

/** Defines every job in the queue, with its schedule in Sydney's time. */
export async function defineJobs(context: Context): Promise<void> {
  const { queue } = context;
  await queue.define<{ payer: Payer }>('mirror-bill', { retryLimit: 8, expireInSeconds: 120 }, ({ payer }) =>
    mirrorBill(context, payer),
  );
  await queue.define<{ billId: string }>('settle-bill', { retryLimit: 5, expireInSeconds: 120 }, ({ billId }) =>
    settleOrEnd(context, billId),
  );
  await queue.define<{ after: Payer }>('tell-bills-on', { retryLimit: 3, expireInSeconds: 60 }, ({ after }) =>
    tellBills(context, after),
  );
  await queue.define<{ payer: Payer }>('tell-bill', { retryLimit: 5, expireInSeconds: 60 }, ({ payer }) =>
    tellBillOf(context, payer, { onlyUrgent: true }),
  );
  await queue.define<{ userId: string }>(
    'follow-suspension',
    { retryLimit: 10, retryDelaySeconds: 15, expireInSeconds: 120 },
    ({ userId }) => followSuspension(context, userId),
  );
  await defineCookieIncident(context);
  await defineAccountJobs(context);
  await defineBillingJobs(context);
  await defineAnalyticsJobs(context);
  await defineTeamJobs(context);
  await defineToolJobs(context);
  await defineDeveloperJobs(context);
  await defineRecordJobs(context);
  await defineRecallJobs(context);
  await defineEvidenceJobs(context);
  await defineAdminJobs(context);
  for (const [name, [cron, run, expireInSeconds = 30]] of Object.entries(scheduled)) {
    await queue.define(name, { retryLimit: 0, expireInSeconds }, async () => void (await run(context)));
    await queue.schedule(name, cron, businessZone);
  }
  // Apart from the others, because it asks Stripe some fifty questions and must not do so at every start.
  await queue.define('check-stripe-account', { retryLimit: 0, expireInSeconds: 120 }, () =>
    checkStripeAccount(context),
  );
  await queue.schedule('check-stripe-account', '20 5 * * *', businessZone);
}

/** Where days pass at once, once at the end is enough: nobody looks in between, and no bill waits for these. */
const onlyAtTheEnd: ReadonlySet<string> = new Set<keyof typeof scheduled>([
  'tell-incidents',
  'refresh-business',
  'close-silent-sessions',
  'follow-erasures',
  'resume-packs',
  'forget-old-record',
  'prune-accounts',
  'prune-launch-tokens',
  'prune-tool-events',
  'prune-packs',
  'blank-old-notices',
  'correct-ranking',
]);
/** These make up for lost webhooks. Where days pass at once, they run at the end, and on the day before Stripe bills somebody. */
const onlyBeforeBills: ReadonlySet<string> = new Set<keyof typeof scheduled>([
  'reconcile-subscriptions',
  'read-missed-events',
]);

export type WhileDaysPass = { atTheEnd: boolean; beforeBills: boolean };

/** Runs every scheduled job now: at start, where a crash may have interrupted a purchase, and when the clock is moved. */
export async function runDueJobs(
  context: Context,
  isStopping = () => false,
  { atTheEnd, beforeBills }: WhileDaysPass = { atTheEnd: true, beforeBills: true },
): Promise<void> {
  const waits = (name: string) => (!atTheEnd && onlyAtTheEnd.has(name)) || (!beforeBills && onlyBeforeBills.has(name));
  for (const [name, [, run]] of Object.entries(scheduled)) if (!isStopping() && !waits(name)) await run(context);
}
