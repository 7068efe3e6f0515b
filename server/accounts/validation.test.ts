import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Agent } from '#server/testing/test-app.ts';

/** Every rule of the forms, in the server's words. The browser's forms use the same schemas; their journeys are in client/e2e. */
const app = testApp();
let newcomer: Agent;
let member: Agent;

beforeAll(async () => {
  newcomer = (await app.signedIn({ profileCompleted: false })).agent;
  member = (await app.signedIn()).agent;
});

const password = 'Brave-Otter-42';
const calls = {
  Register: {
    send: (body: object) => app.agent().post('/api/register').send(body),
    valid: { email: 'mia@practice.example', password, firstName: 'Mia', lastName: 'Wong' },
  },
  Login: {
    send: (body: object) => app.agent().post('/api/login').send(body),
    valid: { email: 'mia@practice.example', password },
  },
  'Forgot password': {
    send: (body: object) => app.agent().post('/api/forgot-password').send(body),
    valid: { email: 'mia@practice.example' },
  },
  'Reset password': {
    send: (body: object) => app.agent().post('/api/reset-password').send(body),
    valid: { token: 'x', password },
  },
  'Complete profile': {
    send: (body: object) => newcomer.post('/api/user/complete-profile').send(body),
    valid: {
      mobile: '0412 345 678',
      businessName: 'Wong Advice',
      businessAddress: '1 Collins Street',
      businessCity: 'Melbourne',
      businessState: 'VIC',
      businessPostcode: '3000',
      dealerGroup: 'Independent',
      specializationAreas: ['Tax Planning'],
    },
  },
  Profile: {
    send: (body: object) => member.patch('/api/user/profile').send(body),
    valid: {},
  },
  'Admin setup': {
    send: (body: object) => app.agent().post('/api/setup-admin').send(body),
    valid: { email: 'ada@practice.example', password: 'horse battery staple', firstName: 'Ada', lastName: 'Okafor' },
  },
  'Cancellation request': {
    send: (body: object) => member.post('/api/cancel-subscription').send(body),
    valid: { toolId: 'risk-profile-ai' },
  },
} as const;
type Form = keyof typeof calls;

const rules = {
  length: 'Password must be at least 8 characters long',
  upper: 'Password must contain at least one uppercase letter',
  lower: 'Password must contain at least one lowercase letter',
  number: 'Password must contain at least one number',
};
const missing = [undefined, null, '', '  '];

/** Form, rule, field, values that break it, what is said. */
const rows: [Form, string, string, readonly unknown[], string][] = [
  ['Register', 'email valid', 'email', [undefined, '', 'mia', 'mia@', 'a b@c.d'], 'Please enter a valid email address'],
  ['Register', 'password at least 8 characters', 'password', [undefined, '', 'Short1a'], rules.length],
  ['Register', 'one uppercase letter', 'password', ['lowercase-7'], rules.upper],
  ['Register', 'one lowercase letter', 'password', ['UPPERCASE-7'], rules.lower],
  ['Register', 'one number', 'password', ['No-Numbers-Here'], rules.number],
  ['Register', 'first name required', 'firstName', missing, 'First name is required'],
  ['Register', 'last name required', 'lastName', missing, 'Last name is required'],
  ['Login', 'valid email', 'email', [undefined, 'mia@'], 'Please enter a valid email address'],
  ['Login', 'password required', 'password', [undefined, ''], 'Password is required'],
  ['Forgot password', 'valid email', 'email', [undefined, '', 'mia@'], 'Please enter a valid email address'],
  ['Reset password', 'token required', 'token', [undefined, ''], 'Reset token is required'],
  ['Reset password', 'password at least 8 characters', 'password', ['Short1a'], rules.length],
  ['Reset password', 'one uppercase letter', 'password', ['lowercase-7'], rules.upper],
  ['Reset password', 'one lowercase letter', 'password', ['UPPERCASE-7'], rules.lower],
  ['Reset password', 'one number', 'password', ['No-Numbers-Here'], rules.number],
  ['Complete profile', 'mobile required', 'mobile', missing, 'Business phone number is required'],
  ['Complete profile', 'business name required', 'businessName', missing, 'Business name is required'],
  ['Complete profile', 'business address required', 'businessAddress', missing, 'Business address is required'],
  ['Complete profile', 'city required', 'businessCity', missing, 'City is required'],
  ['Complete profile', 'state required', 'businessState', [...missing, 'XX'], 'State is required'],
  ['Complete profile', 'postcode required', 'businessPostcode', missing, 'Postcode is required'],
  ['Complete profile', 'dealer group required', 'dealerGroup', missing, 'Dealer group/firm affiliation is required'],
  [
    'Complete profile',
    'at least one specialisation',
    'specializationAreas',
    [undefined, [], '[]'],
    'Please select at least one area of specialisation',
  ],
  ['Profile', 'personal: first name required', 'firstName', ['', ' ', null], 'First name is required'],
  ['Profile', 'personal: last name required', 'lastName', ['', ' ', null], 'Last name is required'],
  ['Profile', 'personal: mobile', 'mobile', ['', ' ', null], 'Mobile number is required'],
  ['Profile', 'business: name required', 'businessName', [''], 'Business name is required'],
  ['Profile', 'business: address required', 'businessAddress', [''], 'Business address is required'],
  ['Profile', 'business: postcode required', 'businessPostcode', ['', ' '], 'Postcode is required'],
  ['Profile', 'business: city required', 'businessCity', [''], 'City is required'],
  ['Profile', 'business: state from the state list', 'businessState', ['', 'Victoria'], 'State is required'],
  ['Profile', 'business: dealer group required', 'dealerGroup', ['', ' ', null], 'Dealer group is required'],
  [
    'Profile',
    'professional: at least one specialisation',
    'specializationAreas',
    [[], '[]'],
    'Please select at least one specialisation area',
  ],
  ['Admin setup', 'all four fields required: email', 'email', missing, 'Please fill in all fields'],
  ['Admin setup', 'all four fields required: password', 'password', [undefined, ''], 'Please fill in all fields'],
  ['Admin setup', 'all four fields required: first name', 'firstName', missing, 'Please fill in all fields'],
  ['Admin setup', 'all four fields required: last name', 'lastName', missing, 'Please fill in all fields'],
  [
    'Admin setup',
    'password at least 12 characters',
    'password',
    ['Eleven-char'],
    'Password must be at least 12 characters long',
  ],
  ['Cancellation request', 'toolId required', 'toolId', [undefined, ''], 'Tool ID is required'],
];

describe.each(rows)('%s: %s', (form, _rule, field, values, sentence) => {
  it.each(values.map((value) => [value]))('%j', async (value) => {
    const { send, valid } = calls[form];
    const answer = await send({ ...valid, [field]: value }).expect(400);
    expect(answer.body).toMatchObject({ code: 'invalid_input', message: sentence, fields: { [field]: sentence } });
  });
});

describe('forms', () => {
  it('Postcode: what is there but no postcode is said in its own words', async () => {
    const { send, valid } = calls['Complete profile'];
    for (const businessPostcode of ['30', '30000', 'VIC'])
      expect((await send({ ...valid, businessPostcode }).expect(400)).body).toMatchObject({
        fields: { businessPostcode: 'Postcode must be 4 digits' },
      });
  });

  it('Profile, personal: the email cannot be changed', async () => {
    const answer = await member.patch('/api/user/profile').send({ email: 'other@practice.example' }).expect(400);
    expect(answer.body).toMatchObject({ fields: { email: 'Unknown field: email' } });
  });

  it('Complete profile: AFSL, ABN and credentials are optional; a doubtful AFSL and a border postcode stop nobody', async () => {
    const bare = (await app.signedIn({ profileCompleted: false })).agent;
    await bare.post('/api/user/complete-profile').send(calls['Complete profile'].valid).expect(200);
    const odd = (await app.signedIn({ profileCompleted: false })).agent;
    const answer = await odd
      .post('/api/user/complete-profile')
      .send({ ...calls['Complete profile'].valid, afslNumber: 'AFSL-1234567', businessPostcode: '2640' })
      .expect(200);
    expect(answer.body).toMatchObject({ afslNumber: 'AFSL-1234567', businessState: 'VIC', businessPostcode: '2640' });
    await odd.patch('/api/user/profile').send({ afslNumber: 'AFSL 12', businessPostcode: '0800' }).expect(200);
  });

  it("Generic: 'Invalid input'", async () => {
    const { send, valid } = calls['Complete profile'];
    const answer = await send({ ...valid, specializationAreas: ['Astrology'] }).expect(400);
    expect(answer.body).toMatchObject({ message: 'Invalid input' });
  });
});
