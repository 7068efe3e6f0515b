import { type ClaimId, claimsAt } from '#shared/rules/claims.ts';

const meta = typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name="claims"]');

let made = (meta?.content.split(' ').filter(Boolean) ?? []) as readonly ClaimId[];

/** The claims that this installation makes, read from the page's head, so that no call is needed. */
export const claimsMade = () => made;

/** For the server, which has no document to read them from. */
export const setClaimsMade = (claims: readonly ClaimId[]) => {
  made = claims;
};

/** For the privacy policy and the help page. */
export const claimSentences = () => claimsAt('sentence', made).map(({ text }) => text);
