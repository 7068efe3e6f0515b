import { expect, it } from 'vitest';
import { coming, due, part, row, trial, on } from './bill-samples.ts';
import { billTable, restOf } from './bill-table.ts';
import { formatCents } from './money.ts';
import { plusMonths } from '../dates.ts';

const shown = (table: ReturnType<typeof billTable>) =>
  table.map(({ label, note, cents }) => `${label}${note === null ? '' : ` (${note})`}: ${formatCents(cents)}`);

it('the table shows tools, discounts, people and days', () => {
  const offer = { percent: 30, months: 3, endsAt: plusMonths(due, 3).toISOString() };
  const rows = [row('Risk'), row('Fact', { offer }), trial('Note', on('2027-01-20'))];
  const parts = [
    part('1', 740, { toolName: 'Risk', from: '2027-02-01', to: '2027-02-09' }),
    part('2', -1083, { toolName: 'Risk', person: 'Ben Adams', from: '2026-12-13', to: '2027-01-25' }),
    part('3', 0, { toolName: 'Risk', person: 'Ann Lee' }),
  ];
  expect(shown(billTable(coming(rows, { creditCents: 500 }, parts).bill!))).toEqual([
    'Fact ($30.00, Welcome back discount (30%, 3 months) until 26 Apr 2027 −$9.00): $21.00',
    'Note ($30.00, Bulk discount (10%) −$3.00): $27.00',
    'Risk ($30.00, Bulk discount (10%) −$3.00): $27.00',
    'Hugh Lang, 1 to 9 Feb 2027 (Risk): $7.40',
    'Ben Adams, 13 Dec 2026 to 25 Jan 2027 (Risk, credit): −$10.83',
    'Note, 20 to 25 Jan 2027 (6 of 31 days at $27.00, after the free trial): $5.23',
    'Credit: −$5.00',
  ]);
});

it('the table has one row for the days of a person, with each of their tools', () => {
  const joined = (id: string, person: string, toolName: string, cents: number) =>
    part(id, cents, { toolName, person, from: '2027-02-01', to: '2027-02-09' });
  const parts = [
    joined('1', 'Hugh Lang', 'Risk', 740),
    joined('2', 'Ruby Hart', 'Risk', 740),
    joined('3', 'Hugh Lang', 'Fact', 1210),
    joined('4', 'Hugh Lang', 'Risk', 740),
    part('5', -370, { toolName: 'Risk', person: 'Hugh Lang', from: '2027-02-05', to: '2027-02-09' }),
  ];
  expect(shown(billTable({ lines: [], parts }))).toEqual([
    'Hugh Lang, 1 to 9 Feb 2027 (Fact $12.10, Risk $7.40): $19.50',
    'Ruby Hart, 1 to 9 Feb 2027 (Risk): $7.40',
    'Hugh Lang, 1 to 9 Feb 2027 (Risk): $7.40',
    'Hugh Lang, 5 to 9 Feb 2027 (Risk, credit): −$3.70',
  ]);
});

it('the table shows seats, and what is carried', () => {
  const team = { kind: 'team', members: 2 } as const;
  expect(shown(billTable(coming([row('Risk')], team).bill!))).toEqual(['Risk (2 members × $30.00): $60.00']);
  expect(shown(billTable(coming([row('Risk')], {}, [part('1', -2970)]).bill!)).slice(1)).toEqual([
    'Hugh Lang, 8 to 25 Jan 2027 (A, credit): −$29.70',
    'Too little to charge (it goes on the next bill): −$0.30',
  ]);
});

it('the rest of a bill is what its total leaves out of its lines: a credit, an old debt, or too little to charge', () => {
  const { lines } = coming([row('Risk')]).bill!;
  const rest = (totalCents: number | null, parts: { cents: number }[] = []) => restOf({ lines, parts, totalCents });
  expect(rest(3000)).toEqual({ creditCents: 0, carriedCents: 0 });
  expect(rest(2000)).toEqual({ creditCents: 1000, carriedCents: 0 });
  expect(rest(3500)).toEqual({ creditCents: -500, carriedCents: 0 });
  expect(rest(0)).toEqual({ creditCents: 3000, carriedCents: 0 });
  expect(rest(0, [{ cents: -2970 }])).toEqual({ creditCents: 0, carriedCents: 30 });
  expect(rest(null)).toEqual({ creditCents: 0, carriedCents: 0 });
});
