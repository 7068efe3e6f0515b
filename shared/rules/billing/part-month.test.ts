import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BillInput, type BillRow, billOf } from './bill.ts';
import type { Bill } from './bill-types.ts';
import { purchaseOf } from './purchase.ts';
import { plusDays, plusMonths, sydneyDate } from '../dates.ts';
import {
  daysAdded,
  daysOf,
  daysTaken,
  paidDays,
  partOf,
  type SeatChange,
  seatPart,
  type SeatPrice,
} from './part-month.ts';

const hourMs = 3600_000;

describe('a part of a month', () => {
  it.each([
    [3000, 10, 31, 968],
    [3000, 31, 31, 3000],
    [3000, 0, 31, 0],
    [1, 1, 2, 1], // half a cent is rounded up
    [1, 1, 3, 0],
    [0, 5, 31, 0],
  ])('costs its share: %i cents, %i of %i days: %i', (cents, days, periodDays, expected) => {
    expect(partOf(cents, days, periodDays)).toBe(expected);
  });

  it('costs Hugh Lang $7.40 for 1 to 9 February ($30 tool at 15% off, period from 10 January)', () => {
    const joined = daysAdded('2027-02-01', '2027-02-10', []);
    expect(joined).toEqual({ from: '2027-02-01', to: '2027-02-09', days: 9 });
    expect(seatPart({ monthCents: 5 * 2550, seats: 5, periodDays: 31 }, joined!.days)).toBe(740);
  });

  it('counts days by the calendar in Sydney, whatever the clocks do', () => {
    expect(daysOf(new Date('2026-10-03T14:30:00Z'), new Date('2026-10-04T13:30:00Z'))).toBe(1);
    expect(daysOf(new Date('2027-04-03T13:30:00Z'), new Date('2027-04-04T13:30:00Z'))).toBe(0);
  });
});

const [start, end] = ['2027-01-10', '2027-02-10'];
const periodDays = 31;
const period = { start: new Date('2027-01-09T23:00:00Z'), end: new Date('2027-02-09T23:00:00Z') };
const dayAt = (index: number) => plusDays(start, index);

describe('one person in a period', () => {
  it.each<[string, boolean, number[], (number | null)[]]>([
    ['joins', false, [5], [26]],
    ['joins on the last day', false, [30], [1]],
    ['leaves', true, [5], [-25]],
    ['leaves on the last day', true, [30], [0]],
    ['joins and leaves on one day', false, [5, 5], [26, -25]],
    ['leaves and comes back on one day', true, [5, 5], [-25, 25]],
    ['leaves and comes back on the last day', true, [30, 30], [0, null]],
    ['comes back the day after', true, [5, 6], [-25, 25]],
    ['joins, leaves and comes back on the last day', false, [30, 30, 30], [1, 0, null]],
  ])('pays for the days, the first included: one who %s', (_name, wasIn, days, expected) => {
    expect(history(wasIn, days).map((one) => one && one.days)).toEqual(expected);
  });

  it('joins and leaves in any order, and the parts equal the days, to the cent', () => {
    const events = fc.array(fc.integer({ min: 0, max: periodDays - 1 }), { maxLength: 9 });
    fc.assert(
      fc.property(
        fc.boolean(),
        events,
        fc.integer({ min: 0, max: 200_000 }),
        fc.integer({ min: 1, max: 60 }),
        (wasIn, days, monthCents, seats) => {
          const seat: SeatPrice = { monthCents, seats, periodDays };
          const sorted = days.toSorted((a, b) => a - b);
          const written = history(wasIn, sorted).filter((one) => one !== null);
          const had = daysHad(wasIn, sorted);
          const isIn = wasIn !== (days.length % 2 === 1);
          expect(paidDays(period, written, isIn)).toBe(had);
          let paid = wasIn ? periodDays : 0;
          let cents = seatPart(seat, paid);
          for (const change of written) {
            cents += seatPart(seat, paid + change.days) - seatPart(seat, paid);
            paid += change.days;
          }
          expect(cents).toBe(seatPart(seat, had));
          for (const { from, to, days: count } of written)
            expect(daysOf(new Date(`${from}T01:00Z`), new Date(`${plusDays(to, 1)}T01:00Z`))).toBe(Math.abs(count));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/** What is written when a person joins and leaves in turn on these days. */
function history(wasIn: boolean, days: readonly number[]): (SeatChange | null)[] {
  const written: (SeatChange | null)[] = [];
  let isIn = wasIn;
  for (const day of days) {
    const before = written.filter((one) => one !== null);
    written.push(isIn ? daysTaken(dayAt(day), end) : daysAdded(dayAt(day), end, before));
    isIn = !isIn;
  }
  return written;
}

/** On how many days of the period the person was in the team, be it for a minute. */
function daysHad(wasIn: boolean, events: readonly number[]): number {
  const had = new Set<number>();
  let since: number | null = wasIn ? 0 : null;
  for (const day of [...events, periodDays - 1]) {
    if (since === null) since = day;
    else {
      for (let one = since; one <= day; one += 1) had.add(one);
      since = null;
    }
  }
  // The last, made-up event of somebody who is out is no day of theirs; nor is it an event.
  return had.size;
}

const payer: BillInput['payer'] = {
  kind: 'user',
  membershipType: 'standard',
  freeAccess: false,
  members: 1,
  cardOnFile: true,
  creditCents: 0,
  chargesPaused: false,
  nextBillAt: null,
  billingDay: null,
};
const row = (id: string, endDate: Date | null): BillRow => ({
  id,
  toolId: id,
  toolName: id,
  status: endDate ? 'active' : 'incomplete',
  autoRenew: true,
  endDate,
  trialEndDate: null,
  gracePeriodEnd: null,
  price: { unitCents: 3000, number: 0 },
  decisions: [],
  offer: null,
  freeMonths: null,
});
const inputOf = (now: Date, facts: Partial<BillInput['payer']> = {}, rows: BillRow[] = []): BillInput => ({
  payer: { ...payer, ...facts },
  tiers: [],
  rows,
  adjustments: [],
  now,
});

/** When Stripe bills a subscription that began then, as its documentation has it: that day of each month, or the month's last one. */
function stripeInstant(anchor: Date, months: number): Date {
  const month = anchor.getUTCMonth() + months;
  const last = new Date(Date.UTC(anchor.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(anchor.getUTCFullYear(), month, Math.min(anchor.getUTCDate(), last));
  return new Date(midnight + (anchor.getTime() % (24 * hourMs)));
}

const firstHour = Date.parse('2027-06-30T14:00:00Z'); // a year that has a leap day, from the beginning of a day in Sydney
const hours = Array.from({ length: 366 * 24 }, (_, index) => new Date(firstHour + index * hourMs));

describe('a tool bought in any hour of a year', () => {
  it('has bills on the day of Stripe’s instant, whose days add up over a year', () => {
    const wrong = hours.filter((anchor) => {
      let bill: Bill = purchaseOf(row('X', null), inputOf(anchor)).bill;
      let days = 0;
      for (let month = 1; month <= 12; month += 1) {
        const line = bill.lines[0]!;
        days += daysOf(bill.at, bill.until);
        const facts = { nextBillAt: bill.until, billingDay: anchor.getUTCDate() };
        const next = billOf(inputOf(anchor, facts, [row('X', bill.until)]), bill.until);
        const isRight =
          bill.until.getTime() === stripeInstant(anchor, month).getTime() &&
          next.day === sydneyDate(stripeInstant(anchor, month)) &&
          line.from === bill.day &&
          plusDays(line.to, 1) === next.day &&
          next.lines[0]?.cents === 3000;
        if (!isRight) return true;
        bill = next;
      }
      return days !== daysOf(anchor, plusMonths(anchor, 12));
    });
    expect(wrong).toEqual([]);
  });

  it('is charged for the days until the bill, and its lines go on from there', () => {
    const anchor = new Date('2027-05-30T18:30:00Z'); // the 31st of May in Sydney
    const facts = (now: Date) => {
      const months = Array.from({ length: 16 }, (_, index) => stripeInstant(anchor, index));
      return { nextBillAt: months.find((at) => at > now)!, billingDay: 30 };
    };
    const wrong = hours.filter((now) => {
      const { nextBillAt, billingDay } = facts(now);
      const { part, until } = purchaseOf(
        row('X', null),
        inputOf(now, { nextBillAt, billingDay }, [row('A', nextBillAt)]),
      );
      const bill = billOf(inputOf(now, { nextBillAt: until, billingDay }, [row('X', until)]), until);
      const onTheDay = sydneyDate(now) === sydneyDate(nextBillAt);
      const month = onTheDay ? daysOf(nextBillAt, until) : daysOf(plusMonths(until, -1, billingDay), until);
      return !(
        part !== null &&
        part.from === sydneyDate(now) &&
        plusDays(part.to, 1) === bill.lines[0]?.from &&
        part.days === daysOf(now, until) &&
        part.days >= 1 &&
        part.days <= month &&
        part.cents === Math.round((3000 * part.days) / month) &&
        (until.getTime() === nextBillAt.getTime()) !== onTheDay
      );
    });
    expect(wrong).toEqual([]);
  });
});
