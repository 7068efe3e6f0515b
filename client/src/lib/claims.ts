import { type ClaimId, claimsAt } from '#shared/rules/claims.ts';

const meta = typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name="claims"]');

/** The claims that this installation makes: in the head of every page, so that no call asks for them. */
export const claimsMade = (meta?.content.split(' ').filter(Boolean) ?? []) as ClaimId[];

/** Said in the privacy policy and on the help page. */
export const claimSentences = claimsAt('sentence', claimsMade).map(({ text }) => text);
