import type { MembershipType } from '#shared/rules/people/accounts.ts';

export const membershipLabels: Record<MembershipType, string> = {
  standard: 'Standard',
  team: 'Team',
  shaw_partners: 'Special Pricing',
};

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim();
