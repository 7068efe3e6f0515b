import { monthCentsOf } from '#shared/rules/billing/bill.ts';
import { businessZone, calendarDays, day, plus, second, sydneyDate } from '#shared/rules/dates.ts';
import { laterTable, monthFrom } from '#shared/rules/billing/bill-table.ts';
import { forecastOf } from '#shared/rules/billing/forecast.ts';
import { brandName, formatCents } from '#shared/rules/billing/money.ts';
import type { Bill } from '#shared/rules/billing/bill-types.ts';
import { reminderDays, reminderDue } from '#shared/rules/billing/reminders.ts';
import { pricing } from '#server/catalogue/service.ts';
import { lockPayer, type Payer, payerKey, payerOf, practices } from '#server/payers/service.ts';
import { type MoneyMail, settingsOf } from '#server/notifications/service.ts';
import { heading, type Heading, mailSubject } from '#server/platform/mail-subject.ts';
import { realNow } from '#server/platform/clock.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { lastTold, newestBills } from '../bill/queries-bills.ts';
import { readBill } from '../bill/read.ts';
import { type DueRow, payersAfter, rowsDueSoon } from '../queries-due.ts';
import { isOld } from '../join/old-row.ts';
import { monthCauses, type News, newsOf, type Told } from './news.ts';
import { fromTo, isWanted, nextOf, tell, type Telling, tellingFor } from './tell.ts';
import { listed, ofRefused, on, refused, tableOf, toolsText, upper } from './words.ts';

const kinds = ['bill-changed', 'price-announced'] as const;
/** A run stops after this, in milliseconds, and the next one goes on. */
const runMs = 20 * second;

/**
 * Tells every payer whose coming bill is not what they were told, from this payer on: one mail a day each, with everything. What was
 * told is kept, so it may run at any time and twice.
 */
export async function tellBills(context: Context, from: Payer | null = null): Promise<void> {
  const until = realNow().getTime() + runMs;
  for (let after = from; ;) {
    const payers = await payersAfter(context.db, after);
    const news = await Promise.all(payers.map((payer) => hasNews(context, payer)));
    for (const [index, payer] of payers.entries()) if (news[index]) await tellBillOf(context, payer);
    after = payers.at(-1) ?? null;
    if (!after) return;
    if (realNow().getTime() > until) return void (await context.queue.send(context.db, 'tell-bills-on', { after }));
  }
}

const nothing: Told = { toldAt: new Date(0), billAt: null, totalCents: null, lines: [], parts: [], later: null };

async function hasNews(context: Context, payer: Payer): Promise<boolean> {
  const [reading, told] = await Promise.all([readBill(context, payer), lastTold(context.db, payer)]);
  return newsOf(told ?? nothing, forecastOf(reading.input), reading.input.now) !== null;
}

/** Tells one payer. `onlyUrgent`: only a bill that is dearer than told and charged within a day. */
export const tellBillOf = (context: Context, payer: Payer, { onlyUrgent = false } = {}): Promise<void> =>
  transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const told = (await lastTold(tx, payer)) ?? nothing;
    const telling = await tellingFor(within(context, tx), payer);
    // Whoever is charged nothing for now is told once charges go on; what an older release sold, once it has joined the bill.
    if (telling.facts.chargesPaused || telling.slots.some((row) => isOld(row) && !row.purchase.join)) return;
    const { forecast, now } = telling;
    const joined = payer.kind === 'team' ? await practices.seatedIn(tx, payer.teamId, told.toldAt) : [];
    const names = joined.map(({ name }) => name);
    const chosen = telling.slots.flatMap(({ id, chosenUsers }) => (chosenUsers ? id : []));
    const news = newsOf(told, forecast, now, { joined: names, chosen, waiting: telling.waiting });
    const isUrgent = news?.dearerNow === true && forecast.bill !== null && forecast.bill.at < plus(now, day);
    if (!news || (onlyUrgent && !isUrgent)) return;
    const decisions = await decisionsIn(telling, news, told);
    const mustHear = isUrgent || (news.dearer && decisions.reasons.length > 0);
    const last = await lastTold(tx, payer, kinds);
    if (mustHear || !last || sydneyDate(last.toldAt) !== sydneyDate(now))
      await tellNews(telling, news, told, decisions);
  });

type Decisions = { reasons: string[]; withdrawn: string | null };

/** What administrators have decided since the payer was told, where it is why the bill changes. */
async function decisionsIn({ inside: { db }, slots }: Telling, news: News, told: Told): Promise<Decisions> {
  const causes = [...news.causes, ...news.laterCauses];
  const isBack = news.about === 'stays';
  const isNew = (one: { createdAt: Date; withdraws: number | null }) =>
    one.createdAt > told.toldAt && (!isBack || one.withdraws !== null);
  const decisions: Decisions = { reasons: [], withdrawn: null };
  const tiers = isBack || causes.some(({ of }) => of === 'volume') ? await pricing.newestTierChange(db) : null;
  if (tiers && isNew(tiers)) decisions.reasons.push(tiers.reason);
  const isPriced = (id: string) => causes.some(({ of }) => typeof of === 'object' && of.priceOf === id);
  for (const { toolId, toolName } of slots.filter((row) => isBack || isPriced(row.toolId))) {
    const price = (await pricing.toolPricesOf(db, toolId)).find(({ number }) => number !== null);
    if (!price || !isNew(price)) continue;
    decisions.reasons.push(price.reason);
    if (isBack) decisions.withdrawn = toolName;
  }
  return decisions;
}

/** The payer, the total and the day, as a sentence and as a subject. */
function headingOf({ forecast: { bill, later }, facts: { teamName } }: Telling, { about }: News, told: Told): Heading {
  const month = bill ? formatCents(monthCentsOf(bill)) : '';
  const [total, day] = bill ? [formatCents(bill.totalCents), on(bill.day)] : ['', on(told.billAt)];
  const [laterMonth, from] = later ? [formatCents(later.monthCents), on(later.day)] : ['', ''];
  const laterBill = later && laterTable(later);
  const sentence = {
    none: `nothing is charged on ${on(told.billAt)}`,
    stays: `your bill stays ${month} a month`,
    later: !later
      ? ''
      : laterBill
        ? `your bill of ${from} is ${formatCents(laterBill.totalCents)}`
        : monthFrom(from, later, 'your bill'),
    bill: `your bill of ${day} is ${total}`,
  }[about];
  if (teamName === null) return heading`${upper(sentence)}`;
  const subject = {
    none: mailSubject`${teamName}: nothing charged on ${on(told.billAt)}`,
    stays: mailSubject`${teamName}: ${month} a month, as before`,
    later: laterBill
      ? mailSubject`${teamName}: ${formatCents(laterBill.totalCents)} on ${from}`
      : mailSubject`${teamName}: ${laterMonth} from ${from}`,
    bill: mailSubject`${teamName}: ${total} on ${day}`,
  }[about];
  return { title: `${teamName}: ${sentence}`, subject };
}

async function tellNews(telling: Telling, news: News, told: Told, { reasons, withdrawn }: Decisions): Promise<void> {
  const { payer, forecast, words, now } = telling;
  const { about, causes, dearer } = news;
  const { title: sentence, subject } = headingOf(telling, news, told);
  const isBack = about === 'stays' && reasons.length > 0;
  const back = withdrawn ? `The price of ${withdrawn} will not go up after all.` : 'We no longer change our discounts.';
  const why = isBack ? [back] : [...(about === 'bill' ? fromTo(telling, told) : []), ...causes.map(({ text }) => text)];
  const next = nextOf(telling);
  const month = about === 'later' ? forecast.later : null;
  const monthly =
    month && laterTable(month) && `From ${on(month.until)} it is ${formatCents(month.monthCents)} a month.`;
  const wayOut = `If you do not want a tool at that price, choose Cancel before ${on((month ?? forecast.bill)?.day ?? now)}, and you are never charged it.`;
  await tell(telling, {
    key: `bill:${payerKey(payer)}:${now.toISOString()}`,
    title: about === 'stays' ? 'Your bill stays as it is' : 'Your bill changes',
    message: [`${sentence}.`, ...why].join(' '),
    link: words.billing,
    kind: kinds[reasons.length > 0 ? 1 : 0],
    subject,
    says: [`${sentence}.`, ...(why.length > 0 ? [why.join('\n')] : []), ...reasons.map((one) => `The reason: ${one}`)],
    ...(month ? { table: tableOf(month) } : { table: next.table, secondTable: next.secondTable }),
    after: [
      ...(monthly ? [monthly] : []),
      ...(month ? ['Until then your price stays as it is.'] : []),
      ...next.says,
      ...(month ? next.after.slice(-1) : next.after),
      ...(reasons.length > 0 && dearer ? [wayOut] : []),
    ],
    coming: 'said',
  });
}

const reminderKinds = ['renewal-reminder', 'trial-ending', 'yearly-summary'] as const satisfies MoneyMail[];
/** So many days before it, a bill with something new about it is told whatever the settings. */
const noticeDay = reminderDays[0];

/** Whether a reminder is due that none since then has told: the nearest day already reached, so that a missed run is made up for. */
function isDue(at: Date, now: Date, days: readonly number[], toldAt: Date | null): boolean {
  const stage = at > now ? reminderDue(at, now, days, businessZone) : null;
  return stage !== null && (toldAt === null || calendarDays(toldAt, at, businessZone) > stage);
}

/**
 * Reminds payers of their bill, and of what ends, on each day that they chose: one mail a day with everything. It may run at any time
 * and twice, since what was told is kept.
 */
export async function remindOfRenewals(context: Context): Promise<void> {
  const now = context.now();
  for (let last: DueRow | null = null; ;) {
    const rows: DueRow[] = await rowsDueSoon(context.db, now, reminderKinds, last);
    if (rows.length === 0) return;
    const due = rows.filter(({ at, toldAt }) => isDue(at, now, reminderDays, toldAt)).map(payerOf);
    // One mail tells of all tools of a payer.
    const payers = new Map(due.map((payer) => [payerKey(payer), payer])).values();
    for (const payer of payers) await remind(context, payer);
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
    const toldAt = (await lastTold(tx, payer, reminderKinds))?.toldAt ?? null;
    const charged = forecast.bill && forecast.bill.totalCents > 0 ? forecast.bill : null;
    const special = charged ? await specialOf(telling, charged) : { says: [], isYear: false };
    const mustDays = facts.cardOnFile ? (special.says.length > 0 ? [noticeDay] : []) : reminderDays;
    const must = charged !== null && isDue(charged.at, now, mustDays, toldAt);
    const due = must || (charged && isDue(charged.at, now, settings.reminderDays, toldAt)) ? charged : null;
    const ends = forecast.endings.filter(
      ({ reason, monthlyCents, at }) =>
        reason !== 'cancelled' && monthlyCents > 0 && isDue(at, now, settings.reminderDays, toldAt),
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
  const card = facts.card && `${brandName(facts.card.brand)} ${facts.card.last4}`;
  // A subject has one day, and names what ends on it.
  const endDay = on(ends[0]?.at ?? null);
  const soonest = ends.filter(({ at }) => on(at) === endDay);
  const names = listed(soonest.map(({ toolName }) => toolName));
  const ending = trialOnly
    ? mailSubject`Trial${words.whose || ` of ${names}`} ends on ${endDay}`
    : mailSubject`${names}${words.whose} ${soonest.length === 1 ? 'ends' : 'end'} on ${endDay}`;
  const total = formatCents(due?.totalCents ?? 0);
  const noCard = card ? '' : ', no card';
  const ownCharge = card
    ? mailSubject`${when}: ${total} to ${card}`
    : mailSubject`${when}: ${total}, and there is no card`;
  const charge = facts.teamName === null ? ownCharge : mailSubject`${when}: ${total}${words.whose}${noCard}`;
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
    expiresAt: due?.at ?? ends.at(-1)!.at,
    kind: reminderKinds[due && isYear ? 2 : trialOnly ? 1 : 0],
    subject: due ? charge : ending,
    says: all,
    table: next.table,
    secondTable: next.secondTable,
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
