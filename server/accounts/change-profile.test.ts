import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { users } from '#shared/schema/accounts.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const path = '/api/user/profile';
const rowOf = async (id: string) => (await app.context.db.select().from(users).where(eq(users.id, id)))[0]!;
const filled = { afslNumber: '123456', abn: '51824753556', professionalCredentials: '["CFP"]' };

describe('A §7 PATCH /api/user/profile', () => {
  it.each([
    [
      'personal',
      { firstName: ' Mia ', lastName: 'Wong', mobile: '0400 111 222' },
      { firstName: 'Mia', mobile: '+61400111222' },
    ],
    [
      'business',
      {
        businessName: 'Wong Advice',
        businessAddress: '1 Collins Street',
        businessCity: 'Melbourne',
        businessState: 'VIC',
        businessPostcode: ' 3000 ',
        afslNumber: '',
        dealerGroup: 'Wong Group',
        abn: '53 004 085 616',
      },
      { businessState: 'VIC', businessPostcode: '3000', afslNumber: null, abn: '53004085616' },
    ],
    [
      'professional',
      { professionalCredentials: '["CFA","Other"]', specializationAreas: '["Tax Planning"]' },
      { professionalCredentials: ['CFA', 'Other'], specializationAreas: ['Tax Planning'] },
    ],
    [
      'lists as arrays',
      { professionalCredentials: [], specializationAreas: ['Estate Planning'] },
      { professionalCredentials: [] },
    ],
    ['the dashboard dialog', { dealerGroup: 'New Group' }, { dealerGroup: 'New Group' }],
    ['an emptied ABN', { abn: '' }, { abn: null }],
    ['an ABN of null', { abn: null }, { abn: null }],
  ] as const)('%s: changes what was sent and leaves the rest', async (_tab, change, expected) => {
    const { agent, user } = await app.signedIn(filled);
    const before = (await agent.get('/api/user')).body as Record<string, unknown>;
    const answer = await agent.patch(path).send(change).expect(200);
    expect(answer.body).toMatchObject(expected);
    expect((await agent.get('/api/user')).body).toEqual(answer.body);
    for (const [field, value] of Object.entries(before))
      if (!(field in change) && field !== 'updatedAt') expect((answer.body as object)[field as never]).toEqual(value);
    expect(await rowOf(user.id)).toMatchObject({ email: user.email, password: user.password, authEpoch: 0 });
  });

  it.each([
    ['firstName', ' ', 'First name is required'],
    ['lastName', null, 'Last name is required'],
    ['mobile', '', 'Mobile number is required'],
    ['mobile', 'none', 'Please enter a phone number'],
    ['dealerGroup', '  ', 'Dealer group is required'],
    ['businessName', '', 'Business name is required'],
    ['businessAddress', '', 'Business address is required'],
    ['businessCity', '', 'City is required'],
    ['businessState', 'Victoria', 'State is required'],
    ['businessPostcode', '', 'Postcode is required'],
    ['businessPostcode', '300', 'Postcode must be 4 digits'],
    ['abn', '51 824 753 557', 'Please enter a valid ABN (11 digits)'],
    ['specializationAreas', '[]', 'Please select at least one specialization area'],
    ['specializationAreas', ['Astrology'], 'Invalid input'],
    ['professionalCredentials', 'CFP', 'Invalid input'],
    ['professionalCredentials', Array(51).fill('CFP'), 'Invalid input'],
  ] as const)('A §5 Profile: refuses %s %j', async (field, value, sentence) => {
    const { agent, user } = await app.signedIn();
    const answer = await agent
      .patch(path)
      .send({ firstName: 'Mia', [field]: value })
      .expect(400);
    const { fields } = answer.body as { fields: Record<string, string> };
    expect(Object.entries(fields).map(([name, text]) => [name.split('.')[0], text])).toEqual([[field, sentence]]);
    expect(await rowOf(user.id)).toEqual(user);
  });

  it.each(
    Object.keys(users).filter((field) =>
      /^(id|email|password|emailV|profileI|profileCompleted|isA|free|member|stripe|card|auth|closed|created|updated)/.test(
        field,
      ),
    ),
  )('refuses the field %s', async (field) => {
    const { agent, user } = await app.signedIn();
    const answer = await agent
      .patch(path)
      .send({ firstName: 'Mia', [field]: true })
      .expect(400);
    expect((answer.body as { fields: object }).fields).toHaveProperty(field);
    expect(await rowOf(user.id)).toEqual(user);
  });

  it('refuses a change of nothing', async () => {
    const { agent } = await app.signedIn();
    await agent.patch(path).send({}).expect(400);
  });
});
