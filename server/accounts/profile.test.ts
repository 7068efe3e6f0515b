import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { users } from '#shared/schema/accounts.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const newcomer = { profileCompleted: false, specializationAreas: null, professionalCredentials: null, mobile: null };
const form = {
  mobile: '0412 345 678',
  businessName: 'Wong Advice',
  businessAddress: '1 Collins Street',
  businessCity: 'Melbourne',
  businessState: 'VIC',
  businessPostcode: '3000',
  afslNumber: '',
  dealerGroup: 'Independent',
  abn: '51 824 753 556',
  professionalCredentials: ['CFP'],
  specializationAreas: ['Estate Planning', 'Tax Planning'],
};
const complete = '/api/user/complete-profile';
const rowOf = async (id: string) => (await app.context.db.select().from(users).where(eq(users.id, id)))[0]!;

it('A §7 POST /api/user/complete-profile: stores the profile in its normal forms and opens the rest of the product', async () => {
  const { agent, user } = await app.signedIn(newcomer);
  await agent.get('/api/user/subscriptions').expect(403);
  const answer = await agent.post(complete).send(form).expect(200);
  expect(answer.body).toMatchObject({
    profileCompleted: true,
    mobile: '+61412345678',
    abn: '51824753556',
    afslNumber: null,
    professionalCredentials: ['CFP'],
    specializationAreas: ['Estate Planning', 'Tax Planning'],
  });
  const row = await rowOf(user.id);
  expect(row.specializationAreas).toBe('["Estate Planning","Tax Planning"]');
  expect(row.professionalCredentials).toBe('["CFP"]');
  await agent.get('/api/user/subscriptions').expect(200);
});

it('A §7 POST /api/user/complete-profile: takes the lists as JSON text too, and no credentials at all', async () => {
  const { agent } = await app.signedIn(newcomer);
  const { professionalCredentials: _, ...rest } = form;
  const answer = await agent
    .post(complete)
    .send({ ...rest, specializationAreas: '["Tax Planning"]' })
    .expect(200);
  expect(answer.body).toMatchObject({ specializationAreas: ['Tax Planning'], professionalCredentials: [] });
});

it('completes once: the second of two at once is 409 and changes nothing', async () => {
  const { agent } = await app.signedIn(newcomer);
  const answers = await Promise.all(
    ['One', 'Two'].map((businessName) => agent.post(complete).send({ ...form, businessName })),
  );
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  const refused = answers.find((answer) => answer.status === 409)!;
  expect(refused.body).toMatchObject({ code: 'profile_already_complete' });
  const won = answers.find((answer) => answer.status === 200)!.body as { businessName: string };
  expect((await agent.get('/api/user')).body).toMatchObject({ businessName: won.businessName });
});

it('A §5 Complete profile: names every missing field with its sentence', async () => {
  const { agent } = await app.signedIn(newcomer);
  const answer = await agent.post(complete).send({}).expect(400);
  expect((answer.body as { fields: object }).fields).toMatchObject({
    mobile: 'Business phone number is required',
    businessCity: 'City is required',
    businessState: 'State is required',
    businessPostcode: 'Postcode is required',
    dealerGroup: 'Dealer group/firm affiliation is required',
  });
});

it.each([
  ['specializationAreas', [], 'Please select at least one area of specialization'],
  ['specializationAreas', ['Astrology'], 'Invalid input'],
  ['specializationAreas', '{"a"', 'Invalid input'],
  ['professionalCredentials', ['CEO'], 'Invalid input'],
  ['businessState', 'XX', 'State is required'],
  ['businessPostcode', '30', 'Postcode must be 4 digits'],
  ['abn', '12 345 678 901', 'Please enter a valid ABN (11 digits)'],
  ['mobile', 'call me', 'Please enter a phone number'],
  ['businessName', 'a\nb', 'Line breaks and control characters are not allowed'],
  ['businessAddress', 'x'.repeat(201), 'Please use at most 200 characters'],
] as const)('refuses %s %j', async (field, value, sentence) => {
  const { agent, user } = await app.signedIn(newcomer);
  const answer = await agent
    .post(complete)
    .send({ ...form, [field]: value })
    .expect(400);
  const { fields } = answer.body as { fields: Record<string, string> };
  expect(Object.entries(fields).map(([name, text]) => [name.split('.')[0], text])).toEqual([[field, sentence]]);
  expect((await rowOf(user.id)).profileCompleted).toBe(false);
});

it.each(['isAdmin', 'freeAccessGranted', 'emailVerified', 'membershipType', 'email'])(
  'refuses the field %s',
  async (field) => {
    const { agent, user } = await app.signedIn(newcomer);
    await agent
      .post(complete)
      .send({ ...form, [field]: true })
      .expect(400);
    expect(await rowOf(user.id)).toMatchObject({ isAdmin: false, freeAccessGranted: false, profileCompleted: false });
  },
);
