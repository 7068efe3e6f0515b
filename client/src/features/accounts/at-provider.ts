import { identitiesApi } from '#shared/api/identities.ts';
import type { IdentityProvider } from '#shared/rules/people/identities.ts';
import { request } from '#client/lib/calls/request.ts';
import { safeReturnTo } from '#client/lib/pages/paths.ts';
import { tabStorage } from '#client/lib/session/tab-storage.ts';

const onward = tabStorage('adviserly-from-provider');

/** Where this tab goes on after it comes back. */
export const onwardFromProvider = () => safeReturnTo(onward.read());

export function leaveFor(url: string, returnTo: string | null): void {
  onward.keep(returnTo ?? '');
  window.location.assign(url);
}

export async function signInAt(provider: IdentityProvider, returnTo: string | null): Promise<void> {
  leaveFor((await request(identitiesApi.begin, { body: { provider } })).url, returnTo);
}

async function handIn(provider: IdentityProvider) {
  const query = window.location.search.slice(1);
  window.history.replaceState(null, '', window.location.pathname);
  return request(identitiesApi.finish, { body: { provider, query } });
}
export type ProviderAnswer = Awaited<ReturnType<typeof handIn>>;

let handedIn: Promise<ProviderAnswer> | undefined;
/** Takes the provider's answer out of the address and hands it in, once: the page is made anew when it has signed somebody in. */
export const finishAt = (provider: IdentityProvider) => (handedIn ??= handIn(provider));
