import { monthCentsOf } from '#shared/rules/billing/bill.ts';
import type { Bill } from '#shared/rules/billing/bill-types.ts';
import { businessZone, calendarDays, sydneyDate } from '#shared/rules/dates.ts';
import { brandName, formatCents } from '#shared/rules/billing/money.ts';
import { reminderDays, reminderDue } from '#shared/rules/billing/reminders.ts';
import { type MoneyMail, settingsOf } from '#server/notifications/service.ts';
import { lockPayer, type Payer, payerKey, payerOf } from '#server/payers/service.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { newestBills } from '../bill/queries-bills.ts';
import { monthCauses } from './news.ts';
import { type DueRow, lastTold, rowsDueSoon } from './queries-tell.ts';
import { isWanted, nextOf, tell, type Telling, tellingFor } from './tell.ts';
import { listed, ofRefused, on, refused, toolsText } from './words.ts';

const kinds = ['renewal-reminder', 'trial-ending', 'yearly-summary'] as const satisfies MoneyMail[];
/** So many days before it, a bill with something new about it is told whatever the settings. */
const noticeDay = reminderDays[0];

/** Whether a reminder is due that none since then has told: the nearest day already reached, so that a missed run is made up for. */
function isDue(at: Date, now: Date, days: readonly number[], last: { toldAt: Date } | null): boolean {
  const stage = at > now ? reminderDue(at, now, days, businessZone) : null;
  return stage !== null && (last === null || calendarDays(last.toldAt, at, businessZone) > stage);
}

/**
 * Reminds payers of their bill, and of what ends, on each day that they chose: one mail a day with everything. It may run at any time
 * and twice, since what was told is kept.
 */
export async function remindOfRenewals(context: Context): Promise<void> {
  const now = context.now();
  for (let last: DueRow | null = null; ;) {
    const rows: DueRow[] = await rowsDueSoon(context.db, now, last);
    if (rows.length === 0) return;
    for (const row of rows) {
      const payer = payerOf(row);
      if (isDue(row.at, now, reminderDays, await lastTold(context.db, payer, kinds))) await remind(context, payer);
    }
    last = rows.at(-1)!;
  }
}

const remind = (context: Context, payer: Payer): Promise<void> =>
  transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const telling = await tellingFor(within(context, tx), payer);
    if (telling.facts.chargesPaused) return;
    const { facts, forecast, now } = telling;
    const settings = await settingsOf(tx, facts.contactId);
    const last = await lastTold(tx, payer, kinds);
    const charged = forecast.bill && forecast.bill.totalCents > 0 ? forecast.bill : null;
    const special = charged ? await specialOf(telling, charged) : { says: [], isYear: false };
    const mustDays = facts.cardOnFile ? (special.says.length > 0 ? [noticeDay] : []) : reminderDays;
    const must = charged !== null && isDue(charged.at, now, mustDays, last);
    const due = must || (charged && isDue(charged.at, now, settings.reminderDays, last)) ? charged : null;
    const ends = forecast.endings.filter(
      ({ reason, monthlyCents, at }) =>
        reason !== 'cancelled' && monthlyCents > 0 && isDue(at, now, settings.reminderDays, last),
    );
    const isHeard = must || settings.emailReminders || settings.inAppNotifications;
    if ((due || ends.length > 0) && isHeard) await tellDue(telling, { due, ends, ...special, must });
  });

/** What is special about a bill: it begins after a trial, an offer has run out before it, or a year is over. */
async function specialOf({ inside, payer, facts, input, words }: Telling, bill: Bill) {
  const isCharged = ({ id }: { id: string }) => bill.lines.some(({ subscriptionId }) => subscriptionId === id);
  const trials = input.rows.filter((row) => row.status === 'trial' && isCharged(row));
  const earlier = (await newestBills(inside.db, payer, 6))
    .filter(({ at }) => at < bill.at)
    .flatMap(({ lines }) => lines);
  const before = bill.lines.flatMap(
    ({ subscriptionId }) => earlier.find((line) => line.subscriptionId === subscriptionId) ?? [],
  );
  const over = monthCauses(before, bill).filter(({ of }) => of === 'offer');
  const [begun, month] = [facts.billingAnchor, bill.at.getUTCMonth()];
  const isAnniversary = begun?.getUTCMonth() === month && begun.getUTCFullYear() < bill.at.getUTCFullYear();
  const lastList = isAnniversary ? await lastTold(inside.db, payer, ['yearly-summary']) : null;
  const isYear = isAnniversary && lastList?.billAt?.getTime() !== bill.at.getTime();
  const says = [
    ...trials.map(
      ({ toolName, trialEndDate }) =>
        `Your free trial of ${toolName} ends on ${on(trialEndDate)}; this is the first bill with it.`,
    ),
    ...over.map(({ text }) => text),
    ...(isYear
      ? [
          `Once a year we list what you subscribe to${words.whose}: ${toolsText({ ...bill, parts: [] })}, ${formatCents(monthCentsOf(bill))} a month. It goes on until you cancel.`,
        ]
      : []),
  ];
  return { says, isYear };
}

type Due = { due: Bill | null; ends: Telling['forecast']['endings']; says: string[]; isYear: boolean; must: boolean };

/** Everything that is due, with price, date, card and how to stop it, as Australian consumer law asks. */
async function tellDue(telling: Telling, { due, ends, says, isYear, must }: Due): Promise<void> {
  const { payer, facts, words, input, refusals, now } = telling;
  const days = due ? calendarDays(now, due.at, businessZone) : 0;
  const when = ['Today', 'Tomorrow'][days] ?? `In ${days} days`;
  const lines = due?.lines ?? [];
  const isTrial = (id: string) => input.rows.some((row) => row.id === id && row.status === 'trial');
  const trialOnly = [...lines, ...ends].every(({ subscriptionId }) => isTrial(subscriptionId));
  const toKeep = [...lines, ...ends.filter(({ reason }) => reason === 'trial_without_card')];
  const wantsCard = !facts.cardOnFile && isWanted(toKeep, refusals);
  const to = facts.card ? ` to ${brandName(facts.card.brand)} ${facts.card.last4}` : ', and there is no card';
  const names = listed(ends.map(({ toolName }) => toolName));
  const ending = `${trialOnly ? 'Your free trial of ' : ''}${names}${words.whose} ends on ${on(ends[0]?.at ?? null)}`;
  const next = nextOf(telling, due ? { when: `, ${when.toLowerCase()}` } : {});
  const all = [...next.says.slice(0, 1), ...says, ...next.says.slice(1)];
  await tell(telling, {
    key: `reminder:${payerKey(payer)}:${sydneyDate(now)}`,
    title: trialOnly
      ? 'Your free trial is ending'
      : due
        ? 'Your next bill'
        : ends.length === 1
          ? 'Your subscription ends soon'
          : 'Your subscriptions end soon',
    message: all.join(' '),
    ...(wantsCard && { link: { ...words.billing, actionLabel: 'Add a card' } }),
    expiresAt: due?.at ?? ends[0]!.at,
    kind: kinds[due && isYear ? 2 : trialOnly ? 1 : 0],
    subject: due ? `${when}: ${formatCents(due.totalCents)}${words.whose}${to}` : ending,
    says: all,
    table: next.table,
    after: [
      ...ofRefused(lines, refusals, (tool, refusal) => `${refused(tool, refusal)}, so it can’t be opened.`),
      ...next.after,
    ],
    footer: must
      ? 'We send this whatever your reminder settings are.'
      : 'You’re receiving this because renewal reminders are on.',
    optional: !must,
    coming: 'said',
  });
}
