import { eq, getTableColumns } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { users } from '#shared/schema/accounts.ts';
import { mails } from '#shared/schema/notifications.ts';
import { password } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';

/** Every write of accounts × every field of a user that is not theirs to write: refused by name, and nothing changes. */
const app = testApp({ TRUST_PROXY: 'loopback' });

const email = 'sly@practice.example';
const person = { firstName: 'Sly', lastName: 'Fox' };
const passkey = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {} };
/** A body that would be accepted without the extra field. */
const bodies: Record<string, Record<string, unknown>> = {
  'accounts.register': { email, password: 'Brave-Otter-42', ...person },
  'accounts.login': { email, password },
  'accounts.completeProfile': {
    mobile: '0412 345 678',
    businessName: 'Fox Advice',
    businessAddress: '1 Collins Street',
    businessCity: 'Melbourne',
    businessState: 'VIC',
    businessPostcode: '3000',
    dealerGroup: 'Independent',
    specializationAreas: ['Tax Planning'],
  },
  'accounts.updateProfile': { firstName: 'Sly' },
  'accounts.verifyEmail': { token: 'x' },
  'security.forgotPassword': { email },
  'security.resetPassword': { token: 'x', password: 'Brave-Otter-42' },
  'security.changePassword': { currentPassword: password, newPassword: 'Brave-Otter-42' },
  'security.closeAccount': { password },
  'security.changeEmail': { email },
  'security.confirmEmailChange': { token: 'x' },
  'security.undoEmailChange': { token: 'x' },
  'factors.addApp': { name: 'Phone', code: '123456' },
  'factors.addPasskey': {
    name: 'Key',
    passkey: { ...passkey, response: { clientDataJSON: 'x', attestationObject: 'x' } },
  },
  'factors.signInWithPasskey': {
    passkey: { ...passkey, response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' } },
  },
  'factors.signInWithCode': { code: '123456' },
  'factors.prove': { password },
  'factors.stopReset': { token: 'x' },
  'security.setupAdmin': { email, password: 'horse battery staple', ...person },
  'site.contact': { email, name: 'Sly', topic: 'A tool', message: 'Hello' },
};

const protectedFields = [
  ...Object.keys(getTableColumns(users)).filter((name) => !(name in bodies['accounts.completeProfile']!)),
  'role',
  'userId',
  'teamId',
];
const nouns: Record<string, Record<string, Endpoint>> = {
  accounts: contract.accounts,
  security: contract.security,
  factors: contract.factors,
  site: contract.site,
};
const writes = Object.entries(nouns).flatMap(([noun, api]) =>
  Object.entries(api)
    .filter(([, { body }]) => body)
    .map(([name, endpoint]) => [`${noun}.${name}`, endpoint] as const),
);
const rowOf = async (id: string) => (await app.context.db.select().from(users).where(eq(users.id, id)))[0];

describe.each(writes)('%s', (name, { method, path, access, body }) => {
  it('takes no field that is not its own', async () => {
    const valid = bodies[name];
    if (!valid) throw new Error(`${name} is a new write: give it a body here.`);
    const own = Object.keys((body as unknown as { shape: object }).shape);
    const { agent, user } = await app.signedIn({ profileCompleted: access !== 'signedIn' });
    const [people, letters] = [await app.context.db.$count(users), await app.context.db.$count(mails)];
    for (const field of protectedFields.filter((each) => !own.includes(each))) {
      for (const value of [true, 'admin', null]) {
        const answer = await agent[method.toLowerCase() as 'post'](path)
          .set('x-forwarded-for', '192.0.2.1')
          .send({ ...valid, [field]: value });
        expect([answer.status, answer.body.fields], field).toEqual([400, { [field]: `Unknown field: ${field}` }]);
      }
    }
    expect(await rowOf(user.id)).toEqual(user);
    expect(await app.context.db.$count(users)).toBe(people);
    expect(await app.context.db.$count(mails)).toBe(letters);
  });
});

it.each(['__proto__', 'constructor', 'prototype'])('%s in a body changes nobody', async (key) => {
  const { agent, user } = await app.signedIn();
  await agent
    .patch('/api/user/profile')
    .set('content-type', 'application/json')
    .send(`{"firstName":"Sly","${key}":{"isAdmin":true}}`)
    .expect((answer) => expect([200, 400]).toContain(answer.status));
  expect(await rowOf(user.id)).toMatchObject({ isAdmin: false });
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

it.each(['/api/logout', '/api/resend-verification'])('%s reads no body', async (path) => {
  const { agent, user } = await app.signedIn({ emailVerified: false });
  await agent.post(path).send({ isAdmin: true, emailVerified: true, email });
  expect(await rowOf(user.id)).toEqual(user);
});
