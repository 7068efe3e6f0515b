import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BillInput, billOf } from '#shared/rules/billing/bill.ts';
import { due, input, row } from '#shared/rules/billing/bill-samples.ts';
import type { Adjustment } from '#shared/rules/billing/bill-types.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { buy, DAY, pass, rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { billByPerson, split } from './by-person.ts';

const sum = (list: readonly { cents: number }[]) => list.reduce((total, { cents }) => total + cents, 0);

const adjustment = fc.record({
  id: fc.uuid(),
  cause: fc.constantFrom('joined', 'left', 'trial_end', 'correction', 'below_minimum', 'join_one_bill'),
  subscriptionId: fc.constant(null),
  toolId: fc.constantFrom('one', 'two'),
  toolName: fc.constantFrom('One', 'Two'),
  person: fc.option(fc.constantFrom('Ana', 'Ben', 'Somebody who left'), { nil: null }),
  from: fc.constant('2027-01-01'),
  to: fc.constant('2027-01-03'),
  days: fc.constant(3),
  cents: fc.integer({ min: -9000, max: 9000 }),
}) as fc.Arbitrary<Adjustment>;

describe('the next bill by person', () => {
  it('adds up to the bill’s total to the cent, whoever comes and goes and whatever is credited', () => {
    const members = fc.array(fc.constantFrom('Ana', 'Ben', 'Cara', 'Dan'), { maxLength: 7 });
    const prices = fc.array(fc.integer({ min: 1, max: 9999 }), { maxLength: 4 });
    const credit = fc.integer({ min: -3000, max: 30_000 });
    fc.assert(
      fc.property(
        members,
        prices,
        fc.array(adjustment, { maxLength: 6 }),
        credit,
        (names, units, adjustments, creditCents) => {
          const rows = units.map((unitCents, index) => row(`tool-${index}`, { price: { unitCents, number: 0 } }));
          const given: BillInput = input(rows, { kind: 'team', members: Math.max(1, names.length), creditCents });
          const bill = billOf({ ...given, adjustments }, due);
          const people = names.map((name, index) => ({ userId: String(index), name }));
          const told = billByPerson(bill, people);
          expect(sum(told.people) + sum(told.practice)).toBe(bill.totalCents);
          for (const { cents, tools } of told.people)
            expect(tools.reduce((total, { monthCents, daysCents }) => total + monthCents + daysCents, 0)).toBe(cents);
          const months = told.people
            .filter(({ userId }) => userId !== null)
            .map(({ tools }) => tools.reduce((total, { monthCents }) => total + monthCents, 0));
          if (months.length > 0) expect(Math.max(...months) - Math.min(...months)).toBeLessThanOrEqual(units.length);
        },
      ),
    );
  });

  it.each([
    [1000, 3, [334, 333, 333]],
    [-5, 2, [-3, -2]],
    [0, 2, [0, 0]],
  ])('shares %i cents by %i as %j', (cents, parts, shares) => expect(split(cents, parts)).toEqual(shares));

  it('gives two people of one name, and somebody who has left, rows of their own for their days', () => {
    const part = { toolId: 'one', toolName: 'One', cause: 'joined', from: '', to: '', days: 1, gstCents: 0 } as const;
    const parts = [
      { ...part, person: 'Ana', cents: 100 },
      { ...part, person: 'Hugh', cause: 'left' as const, cents: -40 },
      { ...part, person: 'Ben', cents: 7 },
    ];
    const bill = { lines: [], parts, creditCents: 0, carriedCents: 0, totalCents: 67 };
    const people = ['Ana', 'Ana', 'Ben'].map((name, index) => ({ userId: String(index), name }));
    const told = billByPerson(bill, people).people.map(({ userId, name, cents }) => [userId, name, cents]);
    expect(told).toEqual([
      ['0', 'Ana', 0],
      ['1', 'Ana', 0],
      ['2', 'Ben', 7],
      [null, 'Ana', 100],
      [null, 'Hugh', -40],
    ]);
  });
});

describe('the call of the next bill by person', () => {
  const app = testApp();

  it('is the forecast’s own total, with the days of a colleague who has joined, for the owner alone', async () => {
    const owner = await app.signedIn({ firstName: 'Karen', lastName: 'Hughes' });
    const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Riverside Advice' });
    const path = `/api/teams/${team.id}/next-bill`;
    expect((await owner.agent.get(path).expect(200)).body).toBeNull();
    await buy(app, owner.agent, 'risk-profile-ai', 'pm_card_visa', { teamId: team.id });
    await buy(app, owner.agent, 'pre-fill-ai', 'pm_card_visa', { teamId: team.id });
    await pass(app, 3 * DAY);
    const invited = await createUser(app.context, { firstName: 'Hugh', lastName: 'Lang' });
    await owner.agent.post(`/api/teams/${team.id}/invite`).send({ email: invited.email }).expect(200);
    const [mail] = await rowsOf(app, "select text_body from mails where to_address = $1 and kind = 'team-invitation'", [
      invited.email,
    ]);
    const token = /token=(\S+)/.exec(String(mail!['text_body']))![1];
    const hugh = await app.signIn(invited.email);
    await hugh.agent.post(`/api/invitations/${token}/accept`).send({}).expect(200);

    const { bill } = (await owner.agent.get(`/api/billing/forecast?teamId=${team.id}`).expect(200)).body as {
      bill: { totalCents: number; parts: { cents: number }[] };
    };
    const told = (await owner.agent.get(path).expect(200)).body as {
      totalCents: number;
      people: { name: string; cents: number; tools: { daysCents: number }[] }[];
      practice: { cents: number }[];
    };
    expect(told.totalCents).toBe(bill.totalCents);
    expect(sum(told.people) + sum(told.practice)).toBe(bill.totalCents);
    const joined = told.people.find(({ name }) => name === 'Hugh Lang')!;
    expect(joined.tools.reduce((total, { daysCents }) => total + daysCents, 0)).toBe(sum(bill.parts));
    expect(sum(bill.parts)).toBeGreaterThan(0);

    const csv = (await owner.agent.get(`${path}.csv`).expect(200)).text.trimEnd().split('\r\n');
    expect(csv[0]).toBe('\ufeffPerson,Tool,For,Amount with GST (AUD)');
    expect(csv.at(-1)).toBe(`Total,,,${bill.totalCents / 100}`);
    const amounts = csv.slice(1, -1).map((line) => Math.round(Number(line.split(',').at(-1)) * 100));
    expect(amounts.reduce((total, cents) => total + cents, 0)).toBe(bill.totalCents);
    expect(csv).toContainEqual(expect.stringMatching(/^Hugh Lang,Risk Profile AI,Days before it,\d/));

    await hugh.agent.get(path).expect(403);
    for (const role of ['admin', 'reviewer']) {
      await rowsOf(app, 'update team_members set role = $2 where user_id = $1', [invited.id, role]);
      await hugh.agent.get(path).expect(403);
      await hugh.agent.get(`${path}.csv`).expect(403);
    }
    await (await app.signedIn()).agent.get(path).expect(404);
  });
});
