import { expect, it } from 'vitest';
import { detailsOf } from './audit-words.ts';

const mia = '1b4e28ba-2fa1-41d2-883f-0016d3cca427';
const gone = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
const names = new Map([
  [mia, 'Mia Wong'],
  ['risk-profile-ai', 'Risk Profile AI'],
]);

it.each([
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
  [null, { brand: 'visa', last4: null }, ['Card: Visa', 'Card ending in: none']],
  [null, { call: 'POST /api/contact' }, ['Call: POST /api/contact']],
  [null, null, []],
])('%j → %j', (before, after, details) => expect(detailsOf(before, after, names)).toEqual(details));
