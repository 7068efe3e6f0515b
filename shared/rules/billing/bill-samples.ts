import { type BillInput, type BillPayer, type BillRow } from './bill.ts';
import type { Adjustment } from './bill-types.ts';
import { forecastOf } from './forecast.ts';
import type { Tier } from './pricing.ts';

/** The bill is due on 26 January 2027, at noon in Sydney; today is the 8th. */
export const now = new Date('2027-01-08T01:00:00Z');
export const due = new Date('2027-01-26T01:00:00Z');
export const on = (date: string) => new Date(`${date}T01:00:00Z`);
export const tiers: Tier[] = [
  { toolCount: 2, discountPercent: 5 },
  { toolCount: 3, discountPercent: 10 },
  { toolCount: 4, discountPercent: 15 },
];

export const row = (name: string, more: Partial<BillRow> = {}): BillRow => ({
  id: name,
  toolId: name,
  toolName: name,
  status: 'active',
  autoRenew: true,
  endDate: due,
  trialEndDate: null,
  gracePeriodEnd: null,
  price: { unitCents: 3000, number: 0 },
  decisions: [],
  offer: null,
  freeMonths: null,
  ...more,
});
export const trial = (name: string, trialEndDate: Date, more: Partial<BillRow> = {}) =>
  row(name, { status: 'trial', endDate: null, trialEndDate, ...more });
export const cancelled = (name: string, endDate: Date, more: Partial<BillRow> = {}) =>
  row(name, { status: 'cancelled', endDate, gracePeriodEnd: on('2027-03-01'), ...more });
export const payer: BillPayer = {
  kind: 'user',
  membershipType: 'standard',
  freeAccess: false,
  members: 1,
  cardOnFile: true,
  creditCents: 0,
  chargesPaused: false,
  nextBillAt: due,
  billingDay: 26,
};
export const part = (id: string, cents: number, more: Partial<Adjustment> = {}): Adjustment => ({
  id,
  cause: cents < 0 ? 'left' : 'joined',
  subscriptionId: 'A',
  toolId: 'A',
  toolName: 'A',
  person: 'Hugh Lang',
  from: '2027-01-08',
  to: '2027-01-25',
  days: 18,
  cents,
  ...more,
});
export const input = (
  rows: BillRow[],
  facts: Partial<BillPayer> = {},
  adjustments: Adjustment[] = [],
  more: Partial<BillInput> = {},
): BillInput => ({ payer: { ...payer, ...facts }, tiers, rows, adjustments, now, ...more });
export const coming = (rows: BillRow[], facts: Partial<BillPayer> = {}, adjustments: Adjustment[] = []) =>
  forecastOf(input(rows, facts, adjustments));
