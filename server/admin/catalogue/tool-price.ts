import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { catalogueApi } from '#shared/api/operators/catalogue.ts';
import type { BillInput } from '#shared/rules/billing/bill.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { centsOf } from '#shared/rules/billing/money.ts';
import type { PriceDecision } from '#shared/rules/billing/own-price.ts';
import { usualSharePercent } from '#shared/rules/tools/publication.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { audit } from '#server/audit/service.ts';
import { agreements, findTool, pricing, type ToolRow, toolRows } from '#server/catalogue/service.ts';
import { userPayer } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { refuseOwn } from '../acts/people.ts';
import { billOn, daysAhead, inTime, reachable, startOn } from '../people/decided-bills.ts';

const priced = (tool: ToolRow | null): ToolRow => {
  if (!tool?.isActive || tool.id === lostMoneyTool) throw new AppError('tool_not_found');
  return tool;
};

/** `GET /api/admin/tools/:toolId/prices`: the prices that were set, the newest first. */
export async function pricesOf(context: Context, toolId: string): Promise<Reply<typeof catalogueApi.prices>> {
  const tool = priced(await findTool(context.db, toolId));
  const rows = await pricing.toolPricesOf(context.db, toolId);
  const withdrawn = new Set(rows.map(({ withdraws }) => withdraws));
  const now = context.now();
  return {
    id: tool.id,
    name: tool.name,
    unitCents: centsOf(tool.basePrice),
    prices: rows.map((row) => ({
      ...row,
      isWithdrawn: row.number !== null && withdrawn.has(row.number),
      mayWithdraw: mayWithdraw(tool, row, now),
    })),
  };
}

/** Only the newest rise, until it begins: a lower price that was announced stands. */
const mayWithdraw = (
  { priceNumber, basePrice }: ToolRow,
  row: { number: number | null; startsAt: Date | null; unitCents: number; beforeCents: number },
  now: Date,
): boolean =>
  row.number === priceNumber &&
  row.unitCents === centsOf(basePrice) &&
  row.unitCents > row.beforeCents &&
  row.startsAt !== null &&
  row.startsAt > now;

/** `GET …/price-preview`: whom a new price would affect, from their first bill on which it may reach them; a page of payers. */
export async function previewPrice(
  context: Context,
  toolId: string,
  { priceCents: unitCents, after }: Input<typeof catalogueApi.previewPrice>['query'],
): Promise<Reply<typeof catalogueApi.previewPrice>> {
  const tool = priced(await findTool(context.db, toolId));
  const beforeCents = centsOf(tool.basePrice);
  const now = context.now();
  const startsAt = unitCents < beforeCents ? now : plus(now, daysAhead * day);
  const decision = {
    kind: 'change' as const,
    number: tool.priceNumber + 1,
    unitCents,
    beforeCents,
    startsAt,
    decidedAt: now,
  };
  const { rows, next } = await reachable(context, { toolId, after });
  const reached = { dearer: 0, cheaper: 0, same: 0, trials: 0, unpaid: 0 };
  for (const { id, status, input } of rows) {
    const more = (costOn(decided(input, toolId, decision), id, startsAt) ?? 0) - (costOn(input, id, startsAt) ?? 0);
    const kind = more > 0 ? 'dearer' : more < 0 ? 'cheaper' : 'same';
    reached[kind] += 1;
    if (kind === 'same') continue;
    if (status === 'trial') reached.trials += 1;
    if (status === 'grace_period') reached.unpaid += 1;
  }
  return { beforeCents, ...reached, next };
}

const decided = (input: BillInput, toolId: string, decision: PriceDecision): BillInput => ({
  ...input,
  rows: input.rows.map((row) => (row.toolId === toolId ? { ...row, decisions: [...row.decisions, decision] } : row)),
});

/** What a month of the subscription costs on its first bill at that moment or later. */
function costOn(input: BillInput, id: string, from: Date): number | null {
  const trialEnd = input.rows.find((row) => row.id === id && row.status === 'trial')?.trialEndDate;
  const bill = billOn(input, trialEnd && trialEnd > from ? trialEnd : from);
  return bill?.lines.find(({ subscriptionId }) => subscriptionId === id)?.cents ?? null;
}

/** A maker's tool gets the price that its maker proposed, or that holds again, under the share as it was agreed on. */
async function keepAgreement(inside: Context, { id, ownerId }: ToolRow, { unitCents, withdraws }: Written) {
  if (ownerId === null) return;
  await refuseOwn(inside, userPayer(ownerId));
  const now = inside.now();
  const share = (await agreements.agreedNow(inside.db, id))?.sharePercent ?? usualSharePercent;
  if (withdraws !== null) return agreements.agreeAgain(inside.db, id, unitCents, share, now);
  const proposal = await agreements.proposalOf(inside.db, id);
  if (proposal?.priceCents !== unitCents) throw new AppError('price_not_proposed');
  await agreements.accept(inside.db, proposal.id, share, now);
}

type Values = Input<typeof catalogueApi.setPrice>['body'];

/** `POST …/price`: what new subscriptions cost from now on, and whether and when it applies to those who have the tool. */
export const setToolPrice = (
  context: Context,
  actor: ActorRow,
  toolId: string,
  { priceCents: unitCents, currentCents, startsOn, reason }: Values,
): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const tool = priced(await toolRows.lockToolRow(tx, toolId));
    const beforeCents = centsOf(tool.basePrice);
    if (beforeCents !== currentCents) throw new AppError('tool_changed');
    if (beforeCents === unitCents && !startsOn) throw new AppError('same_price');
    const startsAt = startsOn === undefined ? null : startOf(startsOn, unitCents < beforeCents, context.now());
    await write(inside, actor, tool, { unitCents, beforeCents, startsAt, withdraws: null, reason });
    await audit(inside, 'admin.tool_price_set', {
      tool: tool.id,
      before: { unitCents: beforeCents },
      after: { unitCents, reason, startsAt: startsAt?.toISOString() ?? null },
    });
  });

/** A lower price needs no notice. */
const startOf = (date: string, lowers: boolean, now: Date): Date =>
  lowers
    ? startOn(date, 0, now, 'Please choose a day from tomorrow on, within a year')
    : startOn(date, daysAhead, now, `P${inTime.slice(1)}`);

/** `POST …/price/withdraw`: takes back a rise that was announced and has not begun, and everybody is told. */
export const withdrawToolPrice = (
  context: Context,
  actor: ActorRow,
  toolId: string,
  { number, reason }: Input<typeof catalogueApi.withdrawPrice>['body'],
): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const tool = priced(await toolRows.lockToolRow(tx, toolId));
    const announced = await pricing.toolPriceNumbered(tx, toolId, number);
    if (!announced || !mayWithdraw(tool, announced, context.now())) throw new AppError('price_stands');
    const unitCents = announced.beforeCents;
    const beforeCents = centsOf(tool.basePrice);
    await write(inside, actor, tool, { unitCents, beforeCents, startsAt: null, withdraws: number, reason });
    await audit(inside, 'admin.tool_price_withdrawn', {
      tool: tool.id,
      before: { unitCents: announced.unitCents },
      after: { unitCents, reason },
    });
  });

type Written = {
  unitCents: number;
  beforeCents: number;
  startsAt: Date | null;
  withdraws: number | null;
  reason: string;
};

async function write(context: Context, actor: ActorRow, tool: ToolRow, written: Written): Promise<void> {
  const { db } = context;
  await keepAgreement(context, tool, written);
  const isTold = written.startsAt !== null || written.withdraws !== null;
  const number = isTold ? tool.priceNumber + 1 : null;
  await pricing.insertToolPrice(db, {
    toolId: tool.id,
    number,
    changedBy: actor.id,
    createdAt: context.now(),
    ...written,
  });
  await toolRows.updateTool(db, tool.id, {
    basePrice: (written.unitCents / 100).toFixed(2),
    ...(number !== null && { priceNumber: number }),
  });
  if (isTold) await context.queue.send(db, 'tell-bills', {});
}
