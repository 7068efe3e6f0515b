import { expect, it } from 'vitest';
import { kinds } from './kinds.ts';
import { detailsOf, sentenceOf } from './words.ts';

const mia = '1b4e28ba-2fa1-41d2-883f-0016d3cca427';
const gone = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
const names = new Map([
  [mia, 'Mia Wong'],
  ['risk-profile-ai', 'Risk Profile AI'],
]);

const changes: [Record<string, unknown> | null, Record<string, unknown> | null, string[]][] = [
  [{ monthlyCents: 3000 }, { monthlyCents: 3500 }, ['Price a month: $30.00 → $35.00']],
  [
    { status: 'none' },
    { status: 'grace_period', toolId: 'risk-profile-ai' },
    ['Status: none → grace period', 'Tool: Risk Profile AI'],
  ],
  [{ ownerId: gone }, { ownerId: mia }, ['Owner: a closed account → Mia Wong']],
  [null, { role: 'member', invitationId: gone }, ['Role: member']],
  [{ freeAccessGranted: false }, { freeAccessGranted: true }, ['Free access: no → yes']],
  [
    null,
    { lastFour: 'x1Y2', expiresAt: '2026-12-01T00:00:00.000Z' },
    ['Key ending in: x1Y2', 'Works until: 1 Dec 2026'],
  ],
  [null, { brand: 'visa', last4: null }, ['Card: Visa']],
  [null, { call: 'POST /api/contact' }, ['Call: POST /api/contact']],
  [null, null, []],
  [null, { pack: gone }, []],
  [null, { line: gone, reason: 'A name' }, ['Reason: A name']],
  [null, { hold: gone }, []],
  [null, { accountableId: gone }, ['Responsible: a closed account']],
  [null, { incident: 'evt_1', kind: 'webhook' }, ['Kind: webhook']],
  [null, { knownDevice: false, toolId: `outside-${gone}`, reviewDue: '2027-02-21' }, ['Review due: 21 Feb 2027']],
];

const told = {
  before: null,
  after: null,
  ip: '203.0.113.9',
  device: 'Firefox on Windows',
  actor: 'Mia Wong',
  whom: 'Tom Brown',
  names,
};

it.each(changes)('%j → %j', (before, after, details) =>
  expect(detailsOf({ ...told, action: 'old.kind', before, after })).toEqual(details),
);

it('leaves out of the details what the sentence says', () => {
  const row = { ...told, action: 'tool.disclosed', after: { version: 2, note: 'Model' } };
  expect(detailsOf(row)).toEqual(['Note: Model']);
});

it.each(Object.entries(kinds))('%s has a label, and a full sentence', (action, [label]) => {
  expect(label).toMatch(/^[A-Z][a-zA-Z:’ -]+$/);
  const written = Object.fromEntries(['toolId', 'name', 'status', 'role', 'call', 'kind'].map((name) => [name, 'x']));
  const sentence = sentenceOf({ ...told, action, before: written, after: { ...written, reason: 'Misuse' } });
  expect(sentence).toMatch(/^[A-Z].*( .+){2,}[.”]$/);
  expect(sentence).not.toMatch(/[{}_]|undefined|\[object/);
});

it.each([
  ['account.signed_in', {}, 'Mia Wong signed in with Firefox on Windows from 203.0.113.9.'],
  ['account.signed_in', { actor: 'you', device: null }, 'You signed in from 203.0.113.9.'],
  [
    'account.signed_in',
    { after: { knownDevice: false }, ip: null },
    'Mia Wong signed in with Firefox on Windows, a new device.',
  ],
  [
    'account.sign_in_failed',
    { actor: null, whom: 'you', ip: null },
    'Somebody gave a wrong password for your account with Firefox on Windows.',
  ],
  [
    'account.sign_in_failed',
    { actor: null, whom: null, device: null },
    'Somebody gave a wrong password for an unknown account from 203.0.113.9.',
  ],
  [
    'admin.user_suspended',
    { after: { reason: 'Misuse.', charges: 'are paused', apiKeys: 1 } },
    'Mia Wong suspended Tom Brown, and charges are paused: “Misuse.”',
  ],
  [
    'team.handed_over',
    { whom: 'Brown Partners', before: { ownerId: gone }, after: { ownerId: mia } },
    'The team Brown Partners went from a closed account to Mia Wong.',
  ],
  [
    'subscription.changed',
    { actor: null, before: { status: 'none' }, after: { status: 'grace_period', toolId: 'risk-profile-ai' } },
    'The subscription to Risk Profile AI entered its grace period.',
  ],
  [
    'refused.too_many',
    { actor: null, after: { call: 'POST /api/contact' }, device: null },
    'Somebody who is not signed in ran into the limit of POST /api/contact from 203.0.113.9.',
  ],
  [
    'subscription.changed',
    { before: { status: 'incomplete' }, after: { status: 'active', toolId: 'risk-profile-ai' } },
    'Mia Wong subscribed to Risk Profile AI.',
  ],
  [
    'subscription.changed',
    {
      actor: null,
      whose: 'Tom Brown',
      before: { status: 'trial' },
      after: { status: 'active', toolId: 'risk-profile-ai' },
    },
    'Tom Brown’s Risk Profile AI subscription went from trial to active.',
  ],
  [
    'subscription.changed',
    { before: { status: 'active' }, after: { status: 'cancelled', toolId: 'risk-profile-ai' } },
    'Mia Wong cancelled Risk Profile AI.',
  ],
  ['old.kind_of_row', {}, 'Mia Wong: old kind of row.'],
])('%s %j → %s', (action, more, sentence) => expect(sentenceOf({ ...told, ...more, action })).toBe(sentence));
