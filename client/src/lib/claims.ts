import { type ClaimId, claimsAt } from '#shared/rules/claims.ts';

const meta = typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name="claims"]');

let made = (meta?.content.split(' ').filter(Boolean) ?? []) as readonly ClaimId[];

/** The claims that this installation makes: in the head of every page, so that no call asks for them. */
export const claimsMade = () => made;

/** For the server, which renders pages without a head. */
export const setClaimsMade = (claims: readonly ClaimId[]) => {
  made = claims;
};

/** Said in the privacy policy and on the help page. */
export const claimSentences = () => claimsAt('sentence', made).map(({ text }) => text);
