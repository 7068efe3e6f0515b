import { cancellationTerms } from '#shared/rules/cancellation.ts';
import { plus, plusMonths } from '#shared/rules/dates.ts';
import {
  type Forecast,
  forecastOf,
  type ForecastRow,
  monthlyCentsOf,
  type PriceChange,
  priceChanges,
} from '#shared/rules/forecast.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { graceMs, subscriptionCan } from '#shared/rules/subscriptions.ts';
import { findPayerFacts, type Payer, payerFor, userPayer } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { readTogether } from '#server/platform/database.ts';
import { type SlotRow, slotsOf, toForecastRow } from '../queries.ts';
import { datedTiers } from './quote.ts';

/** When the row's next invoice is written: in grace, while an invoice is open, a month after the start of its period. */
export const nextInvoiceOn = (row: SlotRow): Date | null =>
  row.status === 'grace_period' && row.endDate ? plusMonths(row.endDate, 1, row.billingDay) : row.endDate;

export const goesOn = ({ status, autoRenew, purchase }: SlotRow) =>
  autoRenew && purchase !== null && (status === 'trial' || status === 'active' || status === 'grace_period');

/** The row's first invoice at that moment or later; months are counted from its next one. */
export const invoiceFrom = (row: SlotRow) => (from: Date) => {
  const next = nextInvoiceOn(row);
  if (!next) return from;
  for (let months = 0; ; months += 1) {
    const at = plusMonths(next, months, row.billingDay);
    if (at >= from) return at;
  }
};

/** The last change of the volume discounts that the row's payer was told of; 0 for none. */
export const tiersKnownTo = ({ purchase }: SlotRow) => purchase?.tiers?.number ?? 0;

/** Whether that invoice already has the volume discounts that its payer was told of. */
export function tiersReached({ purchase }: SlotRow, nextInvoice: Date | null): boolean {
  const told = purchase?.tiers?.told;
  return told !== undefined && nextInvoice !== null && nextInvoice >= new Date(told.from);
}

/** What a forecast is made of; null where the payer is gone. */
async function readPayer(context: Context, payer: Payer) {
  const [facts, tiers, slots] = await readTogether(
    context.db,
    () => findPayerFacts(context.db, payer),
    () => datedTiers(context),
    () => slotsOf(context.db, payer),
  );
  return facts && { facts, tiers, slots };
}

/** What the payer will be charged and what ends, from our own rows: no page waits for Stripe. */
export async function forecastFor(context: Context, payer: Payer): Promise<Forecast> {
  const known = await readPayer(context, payer);
  if (!known) return { charges: [], endings: [], next: null };
  const { facts, tiers, slots } = known;
  return forecastOf({ payer: facts, tiers, rows: slots.map(toForecastRow), now: context.now() });
}

/** What the payer may be about to do: cancel that tool, or pay for so many members. */
type Decision = { cancel?: string | undefined; immediately?: boolean | undefined; members?: number | undefined };

/** `GET /api/pricing/changes`: what a decision would do to the payer's other prices, before it is taken. */
export async function priceChangesFor(
  context: Context,
  actor: ActorRow,
  { teamId, cancel, immediately = false, members }: Decision & { teamId?: string | undefined },
): Promise<PriceChange[]> {
  const known = await readPayer(context, await payerFor(context, actor, teamId));
  if (!known) return [];
  const { facts, tiers, slots } = known;
  const now = context.now();
  const cancelled = (row: SlotRow): SlotRow =>
    row.toolId === cancel && subscriptionCan.cancel({ ...row, cardOnFile: facts.cardOnFile }, now)
      ? { ...row, ...cancellationTerms(row, immediately, now), status: 'cancelled', autoRenew: false }
      : row;
  const asNow = { payer: facts, tiers, rows: slots.map(toForecastRow), now };
  const rows = slots.map((row) => toForecastRow(cancelled(row)));
  return priceChanges(asNow, { ...asNow, payer: { ...facts, members: members ?? facts.members }, rows });
}

/** What would be charged with this row changed, and what that does to the payer's other prices; null where the payer is gone. */
export async function forecastWith(context: Context, payer: Payer, rowId: string, change: Partial<SlotRow>) {
  const known = await readPayer(context, payer);
  if (!known) return null;
  const { facts, tiers, slots } = known;
  const asNow = { payer: facts, tiers, rows: slots.map(toForecastRow), now: context.now() };
  const rows = slots.map((row) => toForecastRow(row.id === rowId ? { ...row, ...change } : row));
  const decided = { ...asNow, rows };
  return { forecast: forecastOf(decided), changes: priceChanges(asNow, decided) };
}

/** What giving or taking away free access would do to an adviser's own tools, before it is done. */
export type FreeAccessChanges = {
  /** Of tools that Stripe bills: from which charge on they cost another amount. */
  changes: PriceChange[];
  /** Tools that nothing pays for yet: they would go into grace until the adviser starts to pay that much a month. */
  toStart: { toolName: string; monthlyCents: number }[];
};

export async function freeAccessChanges(
  context: Context,
  userId: string,
  freeAccess: boolean,
): Promise<FreeAccessChanges> {
  const known = await readPayer(context, userPayer(userId));
  if (!known) return { changes: [], toStart: [] };
  const { facts, tiers, slots } = known;
  const asNow = { payer: facts, tiers, rows: slots.map(toForecastRow), now: context.now() };
  const isUnbilled = ({ billed, status, toolId }: ForecastRow) =>
    !billed && status === 'active' && toolId !== lostMoneyTool;
  const inGrace = { status: 'grace_period' as const, gracePeriodEnd: plus(asNow.now, graceMs) };
  const rows = asNow.rows.map((row) => (!freeAccess && isUnbilled(row) ? { ...row, ...inGrace } : row));
  const decided = { ...asNow, payer: { ...facts, freeAccess }, rows };
  return {
    changes: priceChanges(asNow, decided),
    toStart: asNow.rows
      .filter(isUnbilled)
      .map((row) => ({ toolName: row.toolName, monthlyCents: monthlyCentsOf(row, decided) }))
      .filter(({ monthlyCents }) => monthlyCents > 0),
  };
}
