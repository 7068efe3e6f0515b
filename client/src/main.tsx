import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from '#client/app/app.tsx';
import { loadFirstPage, watchNavigation } from '#client/app/navigation.ts';
import { givenOffer, offerQuery } from '#client/lib/offer.ts';
import { createQueryClient } from '#client/lib/create-query-client.ts';
import { cachedUser } from '#client/lib/session.ts';
import { watchSession } from '#client/lib/session-ended.ts';
import { startTheme } from '#client/lib/theme.ts';

// zod would try whether it may compile code, which our policy forbids and the browser reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
const queryClient = createQueryClient();
const offer = givenOffer();
if (offer) queryClient.setQueryData(offerQuery.queryKey, offer);

startTheme();
watchSession(queryClient);
watchNavigation(() => {
  const user = cachedUser(queryClient);
  if (!user) return 'signed-out';
  return user.profileCompleted ? 'complete' : 'incomplete';
});

const app = (
  <StrictMode>
    <App queryClient={queryClient} />
  </StrictMode>
);
/** A page that the server rendered is taken over; any other begins here. */
const rendered = root.firstElementChild !== null;

// No top-level await: the page's files import from this one, and each would wait for the other.
void loadFirstPage(rendered).then(() => {
  if (rendered) hydrateRoot(root, app);
  else createRoot(root).render(app);
});
