import { describe, expect, it } from 'vitest';
import { invitationState, maskEmail, removalRefusal, teamCan, teamRights, teamRoles } from './teams.ts';

describe('team roles', () => {
  it.each([
    ['owner', teamRights],
    ['admin', ['seeMembers', 'seeUsage', 'review', 'seeInvoices', 'seeActivity', 'invite', 'remove']],
    ['member', ['seeMembers']],
    ['reviewer', ['seeMembers', 'seeUsage', 'review', 'decide', 'seeInvoices']],
  ] as const)('give their rights, and no more: %s', (role, allowed) => {
    expect(teamRights.filter((right) => teamCan(role, right))).toEqual(allowed);
  });

  const who = (role: (typeof teamRoles)[number], userId: string = role) => ({ userId, role });
  it.each([
    ['owner', 'owner', 'owner_stays'],
    ['owner', 'admin', null],
    ['owner', 'member', null],
    ['admin', 'owner', 'owner_stays'],
    ['admin', 'admin', 'forbidden'],
    ['admin', 'member', null],
    ['member', 'owner', 'forbidden'],
    ['member', 'admin', 'forbidden'],
    ['member', 'member', 'forbidden'],
  ] as const)('decide whether a %s removes another %s: %s', (actor, target, refusal) => {
    expect(removalRefusal(who(actor, 'a'), who(target, 'b'))).toBe(refusal);
  });

  it('let nobody remove themselves', () => {
    expect(removalRefusal(who('admin'), who('admin'))).toBe('self_removal');
    expect(removalRefusal(who('owner'), who('owner'))).toBe('owner_stays');
  });
});

describe('the state of an invitation', () => {
  const now = new Date('2026-11-21T00:00:00Z');
  const later = new Date('2026-11-22T00:00:00Z');
  const open = { acceptedAt: null, declinedAt: null, isRevoked: false, expiresAt: later };
  it.each([
    [open, 'pending'],
    [{ ...open, expiresAt: now }, 'expired'],
    [{ ...open, isRevoked: true }, 'revoked'],
    [{ ...open, declinedAt: now }, 'declined'],
    [{ ...open, acceptedAt: now, expiresAt: now }, 'accepted'],
  ])('follows its dates: %# %s', (invitation, state) => {
    expect(invitationState(invitation, now)).toBe(state);
  });
});

it('the page shows no more of an address than its owner needs', () => {
  expect(maskEmail('jane.whitfield@practice.example')).toBe('j•••@practice.example');
});
