import type { MembershipType } from '#shared/rules/accounts.ts';

export const membershipLabels: Record<MembershipType, string> = {
  standard: 'Standard',
  team: 'Team',
  shaw_partners: 'Special Pricing',
};

type Named = { firstName: string; lastName: string };
export const fullName = ({ firstName, lastName }: Named) => `${firstName} ${lastName}`.trim();

const sentenceCase = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** `admin.free_access_granted` → `Admin: free access granted`. */
export const actionLabel = (action: string) => {
  const [noun = '', ...verb] = action.split('.');
  const words = verb
    .join(' ')
    .replaceAll('_', ' ')
    .replace(/\bapi\b/, 'API');
  return words === '' ? sentenceCase(noun) : `${sentenceCase(noun)}: ${words}`;
};
