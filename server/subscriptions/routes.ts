import { contract } from '#shared/api/index.ts';
import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { subscriptionsApi } from '#shared/api/subscriptions.ts';
import { type BillInput, monthCentsOf, withRow } from '#shared/rules/billing/bill.ts';
import { billTable } from '#shared/rules/billing/bill-table.ts';
import { cancellationTerms } from '#shared/rules/billing/cancellation.ts';
import { forecastOf, priceChanges } from '#shared/rules/billing/forecast.ts';
import { subscriptionCan } from '#shared/rules/billing/subscriptions.ts';
import { sumCents } from '#shared/rules/billing/money.ts';
import { tiersNow } from '#server/catalogue/service.ts';
import { payerFor, practices } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/http/implement.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { purchase, resubscribe, syncTool } from './buy/purchase.ts';
import { quoteFor } from './buy/quote.ts';
import { winBackOffersFor } from './buy/win-back-offers.ts';
import { cancel, reactivate, setAutoRenew } from './change/change.ts';
import { subscriptionsOf } from './rights.ts';
import { type BillReading, readBill } from './bill/read.ts';
import { chosenIn, leaving, partsOfChoice, seatParts } from './change/seats.ts';

export const subscriptionsRoutes = (context: Context) =>
  implement(
    contract.subscriptions,
    {
      list: ({ actor }, ctx) => subscriptionsOf(ctx, actor.id),
      listAll: ({ actor }, ctx) => subscriptionsOf(ctx, actor.id),
      tiers: (_input, ctx) => tiersNow(ctx),
      quote: ({ actor, query }, ctx) => quoteFor(ctx, actor, query),
      changes: ({ actor, query }, ctx) => priceChangesFor(ctx, actor, query),
      create: ({ actor, body }, ctx) => purchase(ctx, actor, body),
      sync: ({ actor, params, body }, ctx) => syncTool(ctx, actor, params.toolId, body.teamId),
      cancel: ({ actor, body }, ctx) => cancel(ctx, actor, body),
      reactivate: ({ actor, body }, ctx) => reactivate(ctx, actor, body),
      autoRenew: ({ actor, params, body: { autoRenew, teamId } }, ctx) =>
        setAutoRenew(ctx, actor, { ...params, teamId }, autoRenew),
      resubscribe: ({ actor, body }, ctx) => resubscribe(ctx, actor, body),
      winBackOffers: ({ actor }, ctx) => winBackOffersFor(ctx, actor),
    },
    context,
    // A quote with a discount code depends on how often everybody has used it.
    { list: true, listAll: true, tiers: true, quote: ({ code }) => code === undefined, winBackOffers: true },
  );

/** What the payer may be about to do: cancel a tool, have somebody join or leave the team, or hand it over. */
type Decision = Input<typeof subscriptionsApi.changes>['query'];

/** `GET /api/pricing/changes`: what a decision would do to the payer's other prices and next bill, before it is taken. */
export async function priceChangesFor(
  context: Context,
  actor: ActorRow,
  asked: Decision,
): Promise<Reply<typeof subscriptionsApi.changes>> {
  const payer = await payerFor(context, actor, asked.teamId);
  const reading = await readBill(context, payer);
  const { input } = reading;
  // Whoever has no seat leaves without a trace in the bill.
  const isSeat = asked.leaves !== undefined && (await practices.peopleOf(context.db, payer)).includes(asked.leaves);
  const decision = isSeat ? asked : { ...asked, leaves: undefined };
  const { parts: seats, chosen } = await seatsOf(context, reading, decision);
  const decided = decidedInput(reading, decision, seats, chosen);
  const { bill, endings } = forecastOf(decided);
  const before = forecastOf(input).bill;
  const changes = priceChanges(input, decided);
  return {
    changes,
    moreCents:
      bill && before
        ? monthCentsOf(bill) - monthCentsOf(before)
        : changes.reduce((sum, { fromCents, toCents }) => sum + toCents - fromCents, 0),
    seatCents: sumCents(seats),
    endings,
    bill: bill && {
      at: bill.at,
      totalCents: bill.totalCents,
      leftCents: bill.leftCents,
      isLast: bill.lines.length === 0,
      rest: billTable({ ...bill, lines: [], months: bill.lines }),
    },
  };
}

/** What joining, leaving or choosing who uses a tool costs today, or gives back, of the running month; and who is chosen then. */
async function seatsOf(context: Context, reading: BillReading, { joins, leaves, choose, users }: Decision) {
  if (choose) {
    const chosenUsers = users ? [...new Set(users)] : null;
    const { row, ...who } = await chosenIn(context, reading, choose, chosenUsers);
    const moves = await partsOfChoice(context, reading, { ...row, chosenUsers }, who);
    return { parts: moves.flatMap(({ parts }) => parts), chosen: [{ row, chosenUsers }] };
  }
  if (joins) return { parts: await seatParts(context, reading, null, 'joined'), chosen: [] };
  if (!leaves) return { parts: [], chosen: [] };
  const { moves, chosen } = await leaving(context, reading, { id: leaves, name: null });
  return { parts: moves.flatMap(({ parts }) => parts), chosen };
}

type ChosenRow = { row: { id: string }; chosenUsers: readonly string[] | null };

function decidedInput(
  { facts, slots, input }: BillReading,
  { cancel, immediately, joins, leaves, withoutCard }: Decision,
  seats: BillInput['adjustments'],
  chosen: readonly ChosenRow[],
): BillInput {
  const row = slots.find(({ toolId }) => toolId === cancel);
  const mayCancel = row !== undefined && subscriptionCan.cancel({ ...row, cardOnFile: facts.cardOnFile }, input.now);
  const cancelled = mayCancel ? withRow(input, row.id, cancellationTerms(row, immediately, input.now)) : input;
  const { rows } = chosen.reduce(
    (before, one) => withRow(before, one.row.id, { chosenUsers: one.chosenUsers }),
    cancelled,
  );
  // Of a tool that is cancelled in grace, nothing that waits is charged.
  const waiting = input.adjustments.filter(
    ({ subscriptionId }) => !mayCancel || row.status !== 'grace_period' || subscriptionId !== row.id,
  );
  const members = Math.max(1, facts.members + Number(joins) - Number(leaves !== undefined));
  const payer = { ...input.payer, members, cardOnFile: facts.cardOnFile && !withoutCard };
  return { ...input, rows, payer, adjustments: [...waiting, ...seats] };
}
