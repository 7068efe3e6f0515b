import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { AccountExport } from '#shared/api/account-export.ts';
import { factsOf, laterFields, type ProfileField, profileFields } from '#shared/rules/people/profile.ts';
import { users } from '#shared/schema/accounts.ts';
import { password } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

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

it('POST /api/user/complete-profile: stores the profile in its normal forms and opens the rest of the product', async () => {
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

it('POST /api/user/complete-profile: takes the lists as JSON text too, and needs no credentials', async () => {
  const { agent } = await app.signedIn(newcomer);
  const { professionalCredentials: _, ...rest } = form;
  const answer = await agent
    .post(complete)
    .send({ ...rest, specializationAreas: '["Tax Planning"]' })
    .expect(200);
  expect(answer.body).toMatchObject({ specializationAreas: ['Tax Planning'], professionalCredentials: [] });
});

it('a profile is completed once: the second of two at once gets 409 and changes nothing', async () => {
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

it('the completion names each missing field with its sentence', async () => {
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
  ['specializationAreas', [], 'Please select at least one area of specialisation'],
  ['specializationAreas', ['Astrology'], 'Invalid input'],
  ['specializationAreas', '{"a"', 'Invalid input'],
  ['professionalCredentials', ['CEO'], 'Invalid input'],
  ['businessState', 'XX', 'State is required'],
  ['businessPostcode', '30', 'Postcode must be 4 digits'],
  ['abn', '12 345 678 901', 'That ABN isn’t valid. Please check its 11 digits.'],
  ['mobile', 'call me', 'Please enter a phone number'],
  ['businessName', 'a\nb', 'Line breaks and control characters are not allowed'],
  ['businessAddress', 'x'.repeat(201), 'Please use at most 200 characters'],
] as const)('the completion refuses %s %j', async (field, value, sentence) => {
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
  'the completion refuses the field %s',
  async (field) => {
    const { agent, user } = await app.signedIn(newcomer);
    await agent
      .post(complete)
      .send({ ...form, [field]: true })
      .expect(400);
    expect(await rowOf(user.id)).toMatchObject({ isAdmin: false, freeAccessGranted: false, profileCompleted: false });
  },
);

const path = '/api/user/profile';
const filled = { afslNumber: '123456', abn: '51824753556', professionalCredentials: '["CFP"]' };

describe('PATCH /api/user/profile', () => {
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
  ] as const)('changes what was sent and leaves the rest: %s', async (_tab, change, expected) => {
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
    ['abn', '51 824 753 557', 'That ABN isn’t valid. Please check its 11 digits.'],
    ['specializationAreas', '[]', 'Please select at least one specialisation area'],
    ['specializationAreas', ['Astrology'], 'Invalid input'],
    ['professionalCredentials', 'CFP', 'Invalid input'],
    ['professionalCredentials', Array(51).fill('CFP'), 'Invalid input'],
  ] as const)('refuses %s %j', async (field, value, sentence) => {
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

/** Field → what is sent, and what comes back if that differs. A new field of the profile needs a line here. */
const samples: Record<ProfileField, [sent: unknown, answered?: unknown]> = {
  firstName: ['Mia'],
  lastName: ['Wong'],
  mobile: ['0400 111 222', '+61400111222'],
  businessName: ['Wong Advice'],
  dealerGroup: ['Wong Group'],
  businessAddress: ['1 Collins Street'],
  businessCity: ['Melbourne'],
  businessState: ['VIC'],
  businessPostcode: ['3000'],
  afslNumber: ['234567'],
  adviserNumber: ['001234567'],
  abn: ['53 004 085 616', '53004085616'],
  professionalCredentials: [['CFA']],
  specializationAreas: [['Tax Planning']],
};
const sent = (names: readonly ProfileField[]) => Object.fromEntries(names.map((name) => [name, samples[name][0]]));
const answered = (names: readonly ProfileField[]) =>
  Object.fromEntries(names.map((name) => [name, samples[name][1] ?? samples[name][0]]));

it('a person completes, changes, exports and erases every field of the profile', async () => {
  const { agent, user } = await app.signedIn({ profileCompleted: false, professionalCredentials: null });
  const completed = await agent.post('/api/user/complete-profile').send(sent(laterFields)).expect(200);
  expect(completed.body).toMatchObject(answered(laterFields));

  for (const name of profileFields) {
    const { body } = await agent
      .patch('/api/user/profile')
      .send(sent([name]))
      .expect(200);
    expect(body).toMatchObject(answered([name]));
  }
  expect((await agent.get('/api/user')).body).toMatchObject(answered(profileFields));
  const { account } = (await agent.get('/api/user/export').expect(200)).body as AccountExport;
  expect(account).toMatchObject(answered(profileFields));

  await agent.post('/api/user/close-account').send({ password }).expect(200);
  const [row] = await app.context.db.select().from(users).where(eq(users.id, user.id));
  for (const name of profileFields) expect([name, row![name]]).toEqual([name, factsOf(name).atSignUp ? '' : null]);
});

it('a person may leave an optional field out at completion, and empty it later', async () => {
  const { agent } = await app.signedIn({ profileCompleted: false, professionalCredentials: null });
  const optional = profileFields.filter((name) => factsOf(name).optional);
  const asked = laterFields.filter((name) => !factsOf(name).optional);
  const { body } = await agent.post('/api/user/complete-profile').send(sent(asked)).expect(200);
  const empty = Object.fromEntries(optional.map((name) => [name, factsOf(name).someOf ? [] : null]));
  expect(body).toMatchObject(empty);
  await agent.patch('/api/user/profile').send(sent(optional)).expect(200);
  const emptied = await agent.patch('/api/user/profile').send(empty).expect(200);
  expect(emptied.body).toMatchObject(empty);
});
