import { expect, test } from 'vitest';
import { claimIds, claimsAt } from './claims.ts';

test('with every claim each place says what was specified', () => {
  const at = (place: Parameters<typeof claimsAt>[0]) => claimsAt(place, claimIds).map(({ text }) => text);
  expect(at('badge')).toEqual([
    'SOC 2 Type II',
    'ISO 27001',
    'Bank-Grade Encryption',
    'GDPR Compliant',
    'Cloud Hosted',
  ]);
  expect(at('point')).toEqual(['Saves 15+ hours per week']);
  expect(at('benefit')).toEqual(['Bank-grade security', 'Trusted by 500+ advisers', '99.9% uptime']);
  expect(at('sentence')).toHaveLength(5);
  expect(at('sentence')[0]).toMatch(
    /^Client data is processed but not permanently stored\. We keep the record of AI use of each session for seven years, longer while its practice has a legal hold: .*client reference/,
  );
});

test('a claim that is not made is said nowhere', () => {
  expect(claimsAt('badge', ['cloud', 'uptime'])).toEqual([{ text: 'Cloud Hosted', about: 'hosting' }]);
});
