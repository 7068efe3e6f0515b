import { monthCentsOf } from '#shared/rules/billing/bill.ts';
import { day, plus, second, sydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { pricing } from '#server/catalogue/service.ts';
import { lockPayer, type Payer, payerKey, practices } from '#server/payers/service.ts';
import { realNow } from '#server/platform/clock.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { readBill } from '../bill/read.ts';
import { isOld } from '../join/old-row.ts';
import { type News, newsOf, type Told } from './news.ts';
import { lastTold, payersAfter } from './queries-tell.ts';
import { comingOf, nextOf, tell, type Telling, tellingFor } from './tell.ts';
import { on, tableOf, upper } from './words.ts';

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
  const { forecast, later } = comingOf(reading.input);
  return newsOf(told ?? nothing, { bill: forecast.bill, later }, reading.input.now) !== null;
}

/** Tells one payer. `onlyUrgent`: only a bill that is dearer than told and charged within a day. */
export const tellBillOf = (context: Context, payer: Payer, { onlyUrgent = false } = {}): Promise<void> =>
  transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const told = (await lastTold(tx, payer)) ?? nothing;
    const telling = await tellingFor(within(context, tx), payer);
    // Whoever is charged nothing for now is told once charges go on; what an older release sold, once it has joined the bill.
    if (telling.facts.chargesPaused || telling.slots.some((row) => isOld(row) && !row.purchase.join)) return;
    const { forecast, later, now } = telling;
    const joined = payer.kind === 'team' ? await practices.joinedSince(tx, payer.teamId, told.toldAt) : [];
    const names = joined.map(({ name }) => name);
    const news = newsOf(told, { bill: forecast.bill, later }, now, names);
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

/** The payer, the total and the day. */
function subjectOf({ forecast: { bill }, later, facts }: Telling, { about }: News, told: Told): string {
  const month = bill && formatCents(monthCentsOf(bill));
  const texts = {
    none: () => `nothing is charged on ${on(told.billAt)}`,
    stays: () => `your bill stays ${month} a month`,
    later: () => `from ${on(later!.day)} your bill is ${formatCents(later!.monthCents)} a month`,
    bill: () => `your bill of ${on(bill!.day)} is ${formatCents(bill!.totalCents)}`,
  };
  const text = texts[about]();
  return facts.teamName === null ? upper(text) : `${facts.teamName}: ${text}`;
}

async function tellNews(telling: Telling, news: News, told: Told, { reasons, withdrawn }: Decisions): Promise<void> {
  const { payer, forecast, later, words, now } = telling;
  const { about, causes, dearer } = news;
  const subject = subjectOf(telling, news, told);
  const isBack = about === 'stays' && reasons.length > 0;
  const back = withdrawn
    ? `The price of ${withdrawn} does not go up after all.`
    : 'The change of our discounts is taken back.';
  const why = isBack ? [back] : causes.map(({ text }) => text);
  const next = nextOf(telling);
  const month =
    about === 'later' && later ? { ...later, parts: [], creditCents: 0, totalCents: later.monthCents } : null;
  const wayOut = `If you do not want a tool at that price, choose Cancel before ${on((month ?? forecast.bill)?.day ?? now)}, and you are never charged it.`;
  await tell(telling, {
    key: `bill:${payerKey(payer)}:${now.toISOString()}`,
    title: about === 'stays' ? 'Your bill stays as it is' : 'Your bill changes',
    message: [`${subject}.`, ...why].join(' '),
    link: words.billing,
    kind: kinds[reasons.length > 0 ? 1 : 0],
    subject,
    says: [`${subject}.`, ...(why.length > 0 ? [why.join('\n')] : []), ...reasons.map((one) => `The reason: ${one}`)],
    table: month ? tableOf(month) : next.table,
    after: [
      ...(month ? ['Until then you pay what you pay now.'] : []),
      ...next.says,
      ...(month ? next.after.slice(-1) : next.after),
      ...(reasons.length > 0 && dearer ? [wayOut] : []),
    ],
    coming: 'said',
  });
}
