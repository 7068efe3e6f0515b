import { isDeepStrictEqual } from 'node:util';
import { forecastOf, monthlyCentsAt } from '#shared/rules/forecast.ts';
import { formatCents } from '#shared/rules/money.ts';
import { type OwnPrice, ownPriceAfter, type PriceDecision, unitCentsAt } from '#shared/rules/own-price.ts';
import type { Tier } from '#shared/rules/pricing.ts';
import {
  repricedTools,
  tierSchedule,
  toolPriceNumbered,
  type ToolPriceRow,
  toolPricesAfter,
} from '#server/catalogue/service.ts';
import { type MoneyMail, notify } from '#server/notifications/service.ts';
import { findPayerFacts, lockPayer, type Payer, type PayerFacts, payerOf, wordsFor } from '#server/payers/service.ts';
import { type Context, within } from '#server/platform/context.ts';
import { realNow } from '#server/platform/clock.ts';
import { transaction } from '#server/platform/database.ts';
import { nextCharge, refusalsFor } from '../notices/sentences.ts';
import { type SlotRow, slotsOf, toForecastRow, updateRow } from '../queries.ts';
import { queueReprice } from '../sync/effects.ts';
import { announceTiersTo } from './announce-tiers.ts';
import { goesOn, invoiceFrom, tiersKnownTo } from './forecast.ts';
import { type UntoldPlace, untoldOf } from './queries-prices.ts';
import { datedTiers } from './quote.ts';

const batch = 200;
/** A run stops after this, in milliseconds, and the next one goes on. */
const runMs = 20_000;

/**
 * Tells everybody who has a tool its new price, and writes on the subscription from when it holds: what was told is what will be
 * charged. It may run at any time and twice; whoever comes back later, or was suspended, is told then.
 */
export async function announcePrices(context: Context): Promise<void> {
  const until = realNow().getTime() + runMs;
  for (const tool of await repricedTools(context.db))
    for (let after: UntoldPlace | null = null; ;) {
      const rows = await untoldOf(context.db, tool.id, tool.priceNumber, after, batch);
      for (const row of rows) await announceTo(context, payerOf(row), tool.id);
      if (rows.length < batch) break;
      after = rows.at(-1)!;
      if (realNow().getTime() > until) return;
    }
}

/** Tells what the payer has not been told yet, before it is charged: as of a tool that was cancelled when its price changed. */
export async function announceLate(context: Context, payer: Payer): Promise<void> {
  const slots = (await slotsOf(context.db, payer)).filter(goesOn);
  for (const row of slots)
    if ((row.purchase?.priced ?? 0) < row.priceNumber) await announceTo(context, payer, row.toolId);
  const { number } = await tierSchedule(context);
  if (slots.some((row) => tiersKnownTo(row) < number)) await announceTiersTo(context, payer);
}

/** Tells a payer's new contact the prices that were announced to the one before. In the caller's transaction. */
export async function announceToNewContact(inside: Context, payer: Payer): Promise<void> {
  const facts = await findPayerFacts(inside.db, payer);
  const slots = await slotsOf(inside.db, payer);
  const isComing = ({ from }: { from: string }) => new Date(from) > inside.now();
  for (const row of slots) {
    if (!facts || !row.purchase?.steps?.some(isComing) || !goesOn(row)) continue;
    const last = await toolPriceNumbered(inside.db, row.toolId, row.purchase.priced ?? 0);
    if (last)
      await tell(inside, { payer, facts, tiers: await datedTiers(inside), slots, row, own: row.purchase, last });
  }
}

const decisionOf = (row: ToolPriceRow, withdrawn: ToolPriceRow | null): PriceDecision => {
  const { number, unitCents, beforeCents, startsAt, withdraws } = row;
  if (number === null) throw new Error(`the price ${row.id} is for new subscriptions only`);
  return withdraws === null || !withdrawn
    ? { kind: 'change', number, unitCents, beforeCents, from: startsAt ?? row.createdAt }
    : { kind: 'withdrawal', number, unitCents, withdraws, withdrawnCents: withdrawn.unitCents };
};

/** Tells one payer, and writes it on the subscription. */
const announceTo = (context: Context, payer: Payer, toolId: string): Promise<void> =>
  transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const inside = within(context, tx);
    const facts = await findPayerFacts(tx, payer);
    const slots = await slotsOf(tx, payer);
    const row = slots.find((one) => one.toolId === toolId);
    // Whoever is charged nothing for now is told once charges go on.
    if (!row?.purchase || !goesOn(row) || !facts || facts.chargesPaused) return;
    const prices = await toolPricesAfter(tx, toolId, row.purchase.priced ?? 0);
    const last = prices.at(-1);
    if (!last) return;
    let own: OwnPrice = row.purchase;
    for (const price of prices) {
      const withdrawn = price.withdraws === null ? null : await toolPriceNumbered(tx, toolId, price.withdraws);
      own = ownPriceAfter(own, decisionOf(price, withdrawn), context.now(), invoiceFrom(row));
    }
    const { steps, ...rest } = row.purchase;
    const purchase = { ...rest, ...own };
    if (!own.steps) delete purchase.steps;
    if (!(await updateRow(tx, row, { purchase }))) return;
    if (isDeepStrictEqual(steps ?? [], own.steps ?? [])) return;
    await tell(inside, { payer, facts, tiers: await datedTiers(inside), slots, row, own, last });
    await queueReprice(inside, payer, { verify: true });
  });

type Told = {
  payer: Payer;
  facts: PayerFacts;
  tiers: Tier[];
  slots: SlotRow[];
  row: SlotRow;
  own: OwnPrice;
  last: ToolPriceRow;
};

async function tell(context: Context, { payer, facts, tiers, slots, row, own, last }: Told): Promise<void> {
  const words = wordsFor(payer, facts);
  const now = context.now();
  const product = `${row.toolName}${words.whose}`;
  const rows = slots.map((slot) =>
    toForecastRow(slot.id === row.id ? { ...slot, purchase: { ...row.purchase!, ...own } } : slot),
  );
  const input = { payer: facts, tiers, rows, now };
  const changed = rows.find(({ id }) => id === row.id)!;
  const each = facts.members > 1 ? ' for each member' : '';
  const coming = (own.steps ?? []).filter(({ from }) => new Date(from) > now);
  const sentences = coming.map(({ unitCents, beforeCents, from }) => {
    const on = new Date(from);
    const monthly = monthlyCentsAt(changed, on, input);
    const before = monthlyCentsAt({ ...changed, price: { unitCents: beforeCents } }, on, input);
    const price = `On ${words.on(on)} the price of ${product} goes from ${formatCents(beforeCents)} to ${formatCents(unitCents)} a month${each}, GST included.`;
    if (monthly === unitCents) return price;
    return monthly === 0
      ? `${price} While you have free access you pay nothing for it.`
      : `${price} You then pay ${formatCents(monthly)} a month instead of ${formatCents(before)}.`;
  });
  const stays = `The price of ${product} does not go up after all: it stays ${formatCents(unitCentsAt(own, now))} a month${each}, GST included.`;
  const first = coming[0];
  const raises = coming.some(({ unitCents, beforeCents }) => unitCents > beforeCents);
  const wayOut = `Until then you pay what you pay now. If you do not want it at that price, open ${words.toolsTab} and choose Cancel before ${words.on(first ? new Date(first.from) : now)}: it takes two clicks, and you are never charged the new price.`;
  const subject = first
    ? `The price of ${product} ${raises ? 'goes up' : 'goes down'} on ${words.on(new Date(first.from))}`
    : `The price of ${product} stays as it is`;
  await notify(context, {
    userId: facts.contactId,
    type: 'subscription_renewal',
    title: first ? (raises ? 'A price goes up' : 'A price goes down') : 'A price stays as it is',
    message: first ? sentences.join(' ') : stays,
    actionUrl: words.tools.actionUrl,
    dedupeKey: `tool-price:${row.id}:${last.number}`,
    mail: {
      kind: 'price-announced' satisfies MoneyMail,
      subject,
      paragraphs: [
        ...(first ? sentences : [stays]),
        `The reason: ${last.reason}`,
        ...(raises ? [wayOut] : []),
        ...nextCharge(forecastOf(input), words, await refusalsFor(context, facts.contactId)),
      ],
      actionLabel: words.tools.actionLabel,
      always: true,
    },
  });
}
