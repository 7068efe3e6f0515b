import { expect, it } from 'vitest';
import { type DataGroup, practiceSees, seenSentence } from './data-map.ts';
import { teamCan, type TeamRight, teamRoles } from './teams.ts';

const called = { owner: 'the owner', admin: 'the admins', reviewer: 'the reviewers', member: 'the members' };

it.each<[TeamRight, DataGroup]>([
  ['seeInvoices', 'invoices'],
  ['seeUsage', 'use'],
  ['seeUsage', 'record'],
  ['seeActivity', 'practice'],
])('everybody with the right %s is named among those who see %s', (right, group) => {
  const told = seenSentence(group);
  for (const role of teamRoles) if (teamCan(role, right)) expect(told).toContain(called[role]);
});

it('everybody who sees how a practice’s tools are used is named to its members', () => {
  for (const role of teamRoles)
    if (teamCan(role, 'seeUsage')) expect(practiceSees[0]!.toLowerCase()).toContain(called[role]);
});
