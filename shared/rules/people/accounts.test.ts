import { describe, expect, it } from 'vitest';
import {
  credentials,
  membershipAfterMove,
  membershipTypes,
  passwordRules,
  setupPasswordLength,
  specializations,
} from './accounts.ts';
import { looksLikeAfsl, parseAbn, parsePhone, postcodeFitsState, states } from '../australia.ts';
import { formatSydneyDate } from '../dates.ts';
import { formatCents } from '../billing/money.ts';
import { trialDays } from '../billing/trial-days.ts';

describe('the option lists', () => {
  it('hold credentials, specialisations, states and membership types', () => {
    expect(credentials).toHaveLength(11);
    expect(credentials.at(-1)).toBe('Other');
    expect(specializations).toHaveLength(15);
    expect(specializations).toContain('Insurance & Risk Management');
    expect(states).toEqual(['NSW', 'VIC', 'QLD', 'WA', 'SA', 'TAS', 'ACT', 'NT']);
    expect(membershipTypes).toEqual(['standard', 'team', 'shaw_partners']);
  });
});

describe('the constants', () => {
  it('ask for passwords of 8 characters with upper, lower and digit, and of 12 for admin setup', () => {
    const met = (password: string) => passwordRules.every(({ test }) => test(password));
    expect(met('Abcdefg1')).toBe(true);
    for (const weak of ['Abcdef1', 'abcdefg1', 'ABCDEFG1', 'Abcdefgh']) expect(met(weak)).toBe(false);
    expect(setupPasswordLength).toBe(12);
  });

  it('write currency as AUD and dates as en-AU', () => {
    expect(formatCents(123_450)).toBe('$1,234.50');
    expect(formatSydneyDate(new Date('2026-11-20T13:30:00Z'))).toBe('21 Nov 2026');
  });

  it('give trials of 30 days, and of 45 to teams', () => {
    expect(trialDays).toEqual({ individual: 30, team: 45 });
  });
});

describe('Australian facts', () => {
  it.each([
    ['51 824 753 556', '51824753556'],
    ['53004085616', '53004085616'],
    ['51-824-753-556', '51824753556'],
    ['ABN 51 824 753 556', '51824753556'],
    ['abn: 51.824.753.556', '51824753556'],
    ['51 824 753 557', null],
    ['ACN 51 824 753 556', null],
    ['01 824 753 556', null],
    ['5182475355', null],
  ])('are read from what somebody types: ABN %s', (typed, stored) => expect(parseAbn(typed)).toBe(stored));

  it.each([
    ['0412 345 678', '+61412345678'],
    ['+61 412 345 678', '+61412345678'],
    ['+61 (0)412 345 678', '+61412345678'],
    ['+61 (0) 2 5550 1234', '+61255501234'],
    ['0061 412 345 678', '+61412345678'],
    ['412345678', '+61412345678'],
    ['412 345 678', '+61412345678'],
    ['(02) 5550 1234', '+61255501234'],
    ['02–5550–1234', '+61255501234'],
    ['5550 1234', '5550 1234'],
    ['1300 555 012', '1300 555 012'],
    ['+64 21 123 4567', '+64211234567'],
    ['ext 12', 'ext 12'],
    ['call me', null],
  ])('are read from what somebody types: phone %s', (typed, stored) => expect(parsePhone(typed)).toBe(stored));

  it.each([
    ['123456', true],
    [' 1 ', true],
    ['1234567', false],
    ['AFSL 12', false],
  ])('tell whether AFSL %s is usual: %s', (typed, usual) => expect(looksLikeAfsl(typed)).toBe(usual));

  it.each([
    ['2000', 'NSW', true],
    ['2600', 'ACT', true],
    ['2600', 'NSW', false],
    ['2640', 'VIC', false],
    ['0800', 'NT', true],
    ['0200', 'ACT', true],
    ['7800', 'TAS', true],
    ['6798', 'WA', true],
    ['6799', 'WA', true],
    ['2620', 'NSW', true],
    ['2620', 'ACT', true],
    ['2540', 'ACT', true],
    ['0872', 'NT', true],
    ['0872', 'WA', true],
    ['0872', 'SA', true],
    ['4383', 'NSW', true],
    ['4383', 'QLD', true],
    ['3644', 'NSW', true],
    ['3644', 'VIC', true],
    ['2406', 'QLD', true],
    ['3691', 'NSW', true],
    ['2621', 'ACT', false],
    ['0873', 'SA', false],
    ['4384', 'NSW', false],
  ] as const)('tell whether postcode %s is in %s: %s', (postcode, state, fits) =>
    expect(postcodeFitsState(postcode, state)).toBe(fits),
  );
});

describe('the membership after a change of address', () => {
  const domains = ['partner.example'];
  it.each([
    ['standard', 'a@practice.example', 'a@partner.example', false, 'shaw_partners'],
    ['team', 'a@practice.example', 'a@partner.example', true, 'team'],
    ['shaw_partners', 'a@partner.example', 'a@practice.example', false, 'standard'],
    ['shaw_partners', 'a@partner.example', 'a@practice.example', true, 'team'],
    ['shaw_partners', 'a@partner.example', 'b@partner.example', false, 'shaw_partners'],
    ['shaw_partners', 'a@practice.example', 'b@practice.example', false, 'shaw_partners'],
    ['standard', 'a@practice.example', 'b@practice.example', false, 'standard'],
  ] as const)('follows the domains: %s from %s to %s, in a team: %s', (membershipType, from, to, isTeamMember, after) =>
    expect(membershipAfterMove({ membershipType, from, to, isTeamMember }, domains)).toBe(after),
  );
});
