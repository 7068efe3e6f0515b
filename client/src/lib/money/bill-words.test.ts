import { beforeAll, describe, expect, it } from 'vitest';
import type { Forecast } from '#shared/api/billing.ts';
import { recordBusinessDate } from '#client/lib/words/business-time.ts';
import { cancelled, coming, due, now, on, part, row, trial } from '#shared/rules/billing/bill-samples.ts';
import { closingLabel, closingSentence, nextPayment } from '#client/lib/money/bill-words.ts';

const card = { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2039 };
const said = (forecast: ReturnType<typeof coming>, more: Partial<Forecast> = {}) =>
  nextPayment({ ...forecast, owed: null, charging: null, card, ...more }, null);
const none = { nextBillAt: null, billingDay: null };

beforeAll(() => recordBusinessDate(now.toISOString()));

describe('the line of the next payment', () => {
  it.each([
    ['a bill', said(coming([row('A'), row('B')])), 'You pay $57.00 on 26 Jan with CARD', []],
    [
      'a bill, and no card',
      said(coming([row('A')]), { card: null }),
      '$30.00 is due on 26 Jan',
      ['There is no card on file. Add one before that day to keep everything open.'],
    ],
    [
      'another month later, and what ends',
      said(coming([row('A'), cancelled('B', on('2027-02-10'))])),
      'You pay $28.50 on 26 Jan with CARD',
      ['From 26 Feb, each month: $30.00', 'B ends on 10 Feb.'],
    ],
    [
      'a trial that joins a later bill, with the days before it',
      said(coming([row('A'), trial('B', on('2027-02-20'))])),
      'You pay $28.50 on 26 Jan with CARD',
      ['Bill of 26 Feb: $62.52 with B, 20 to 25 Feb 2027', 'Then each month: $57.00'],
    ],
    [
      'a credit takes it all, and more is left',
      said(coming([row('A')], {}, [part('1', -61_520)])),
      'Nothing is charged on 26 Jan',
      ['Still yours: $585.20. It comes off the bills after this one.'],
    ],
    [
      'too little to charge',
      said(coming([row('A')], {}, [part('1', -2970)])),
      'Nothing is charged on 26 Jan',
      ['$0.30 is too little to charge; the bill after this one has it.'],
    ],
    [
      'the balance pays',
      said(coming([row('A')], { creditCents: 5000 })),
      'Nothing is charged on 26 Jan',
      ['Your credit pays $30.00 of it.', 'Still yours: $20.00. It comes off the bills after this one.'],
    ],
    [
      'a closing bill',
      said(coming([cancelled('A', due)], {}, [part('1', 4760)])),
      'A last $47.60 is charged on 26 Jan with CARD',
      ['A ends on 26 Jan.'],
    ],
    [
      'a last credit',
      said(coming([cancelled('A', due)], {}, [part('1', -4760)])),
      'Nothing more is charged',
      ['Still yours: $47.60. It is refunded on 26 Jan.', 'A ends on 26 Jan.'],
    ],
    [
      'a trial without a card',
      said(coming([trial('A', on('2027-01-20'))], { ...none, cardOnFile: false }), { card: null }),
      'Nothing is due',
      ['The free trial of A ends on 20 Jan; with a card it goes on, for $30.00 a month.'],
    ],
    [
      'free access that has ended',
      said(coming([]), { owed: { tried: false, dueCents: 2500 } as Forecast['owed'] }),
      'Nothing is charged until you start paying',
      [],
    ],
    [
      'being charged',
      said(coming([row('A')]), { charging: { at: now, totalCents: 9450, lines: [], parts: [] } }),
      'You pay $94.50 today with CARD',
      ['Next bill, 26 Jan: $30.00'],
    ],
    [
      'a bill that was not paid',
      said(coming([row('A')]), { owed: { tried: true, dueCents: 3000 } as Forecast['owed'] }),
      'You pay $30.00 on 26 Jan with CARD',
      ['The unpaid $30.00 comes first.'],
    ],
  ])('says what somebody pays next, and when: %s', (_name, { title, withCard, rows, notes }, line, expected) => {
    expect(`${title}${withCard ? ' with CARD' : ''}`).toBe(line);
    expect([
      ...rows.map(({ label, amount, note }) => [`${label}: ${amount}`, note].filter(Boolean).join(' ')),
      ...notes,
    ]).toEqual(expected);
  });

  it('names the team', () => {
    const forecast = { ...coming([row('A')]), owed: null, charging: null, card };
    expect(nextPayment(forecast, 'Riverside Advice').title).toBe('Riverside Advice pays $30.00 on 26 Jan');
  });
});

it.each([
  ['nothing', 0, 0, 'nothing more is charged'],
  ['a charge', 4760, 0, 'a last $47.60 is charged today to Visa •••• 4242, for days that were not paid yet'],
  ['a credit', 0, 740, '$7.40 is refunded'],
])('the page says what closing at once costs: %s', (_name, totalCents, refundCents, sentence) => {
  expect(closingSentence({ closing: { totalCents, refundCents }, card })).toBe(sentence);
});

it('names sum and card on the button that closes, where it charges', () => {
  const forecast = { closing: { totalCents: 4760, refundCents: 0 }, card };
  expect(closingLabel('Close practice', forecast)).toBe('Close practice and pay $47.60 with Visa •••• 4242');
  expect(closingLabel('Close practice', { ...forecast, closing: { totalCents: 0, refundCents: 740 } })).toBe(
    'Close practice',
  );
});
