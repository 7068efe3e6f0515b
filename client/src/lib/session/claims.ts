import type { PageData } from '#shared/api/page-data.ts';
import { sellAs, type Seller } from '#shared/brand.ts';
import { type ClaimId, claimsAt } from '#shared/rules/claims.ts';
import type { IdentityProvider } from '#shared/rules/people/identities.ts';
import { parseProviders, type Provider } from '#shared/rules/people/providers.ts';

/** What this installation says of its seller; read from the page's head, so that no call is needed. */
const said = (name: string) =>
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '');

let made = said('claims').split(' ').filter(Boolean) as readonly ClaimId[];
let providers: readonly Provider[] = parseProviders(said('providers')) ?? [];
let identityProviders = said('sign-in-with').split(' ').filter(Boolean) as readonly IdentityProvider[];
if (said('seller')) sellAs(JSON.parse(said('seller')) as Seller);

/** The claims that this installation makes. */
export const claimsMade = () => made;

/** The companies that work for the seller. */
export const providersNamed = () => providers;

/** Who else signs people in here. */
export const signInWith = () => identityProviders;

/** For the server, which has no document to read them from. */
export const setSeller = (data: Pick<PageData, 'seller' | 'claims' | 'providers' | 'signInWith'>) => {
  sellAs(data.seller);
  made = data.claims;
  providers = data.providers;
  identityProviders = data.signInWith;
};

/** For the privacy policy and the help page. */
export const claimSentences = () => claimsAt('sentence', made).map(({ text }) => text);
