import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from '#client/app/app.tsx';
import { loadFirstPage, watchNavigation } from '#client/app/navigation.ts';
import { fillOffer, givenOffer } from '#client/lib/money/visitors-catalogue.ts';
import { watchConnection } from '#client/lib/pages/load-later.ts';
import { queryClient } from '#client/lib/calls/query-client.ts';
import { askWhoSignedIn, beginAsVisitor, cachedUser } from '#client/lib/session/session.ts';
import { restoreBrought } from '#client/lib/session/brought.ts';
import { keepOpenedFor } from '#client/lib/session/opened-for.ts';
import { watchSession } from '#client/lib/session/session-ended.ts';
import { startTheme } from '#client/lib/pages/theme.ts';
import { loadTypeface } from '#client/lib/pages/typeface.ts';

// Keeps zod from testing whether it may compile code: our CSP forbids that, and the browser would report it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
const offer = givenOffer();
if (offer) fillOffer(queryClient, offer);

keepOpenedFor();
loadTypeface();
startTheme();
watchConnection();
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
// A signed-in page's frame is not yet a rendered page.
const rendered = root.firstElementChild !== null && !root.firstElementChild.hasAttribute('data-frame');
if (rendered) beginAsVisitor(queryClient);

// No top-level await: the pages import from this module's file, so each would wait for the other.
const restored = restoreBrought().catch(() => undefined);
void Promise.all([loadFirstPage(rendered, queryClient), restored]).then(() => {
  if (!rendered) return createRoot(root).render(app);
  hydrateRoot(root, app);
  askWhoSignedIn(queryClient);
});
