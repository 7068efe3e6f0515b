import { expect, it } from 'vitest';
import { type Charged, firstWithoutCard } from '#client/features/subscriptions/lacks-card.ts';

const first: Charged = {
  toolId: 'risk-profile-ai',
  canManage: true,
  teamId: 'team',
  status: 'active',
  autoRenew: true,
  monthlyCents: 9000,
  cardOnFile: false,
  endDate: new Date('2026-12-01'),
};
const later: Charged = { ...first, toolId: 'fact-find-ai', endDate: new Date('2026-12-15') };

type Case = [what: string, subscriptions: Charged[], notAllowed: { toolId: string }[], expected: Charged | undefined];
it.each<Case>([
  ['what is charged first', [later, first], [], first],
  ['what is allowed, though another is charged before it', [first, later], [{ toolId: first.toolId }], later],
  ['nothing where none of it is allowed', [first], [{ toolId: first.toolId }], undefined],
  ['nothing that a card pays', [{ ...first, cardOnFile: true }], [], undefined],
  ['nothing that is not renewed', [{ ...first, autoRenew: false }], [], undefined],
  ['nothing that costs nothing', [{ ...first, monthlyCents: 0 }], [], undefined],
  ['nothing of the adviser alone', [{ ...first, teamId: null }], [], undefined],
  ['nothing that somebody else pays', [{ ...first, canManage: false }], [], undefined],
])('a card is asked for: %s', (_what, subscriptions, notAllowed, expected) => {
  expect(firstWithoutCard(subscriptions, notAllowed)).toBe(expected);
});
