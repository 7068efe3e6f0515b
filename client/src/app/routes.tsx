import { SearchX } from 'lucide-react';
import { type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { Redirect, useLocation, useSearchParams } from 'wouter';
import { ErrorBoundary } from '#client/app/error-boundary.tsx';
import { Frame, PageSkeleton } from '#client/app/frame.tsx';
import { LandingPage, pages, SignedInShell, type Page } from '#client/app/pages.ts';
import { PublicShell } from '#client/app/public-shell.tsx';
import { type Resolution, resolveRoute, type Situation } from '#client/app/resolve-route.ts';
import { paths, safeReturnTo, withReturnTo } from '#client/lib/pages/paths.ts';
import { useUser } from '#client/lib/session/session.ts';
import { useSessionEnded } from '#client/lib/session/session-ended.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { ButtonLink } from '#client/ui/elements.tsx';
import { QueryFailure } from '#client/ui/query-view.tsx';

const useSituation = (): Situation => {
  const { user, error } = useUser();
  const ended = useSessionEnded();
  if (ended) return 'loading';
  if (user === undefined) return error ? 'failed' : 'loading';
  if (user === null) return 'signed-out';
  return user.profileCompleted ? 'complete' : 'incomplete';
};

const Failure = () => {
  const { error, refetch, refetching } = useUser();
  return <QueryFailure title="The page could not be loaded" query={{ error, refetch, isFetching: refetching }} />;
};

const NotFound = () => {
  useTitle('Page not found');
  return (
    <div className="flex min-h-[70dvh] flex-col items-center justify-center text-center">
      <span className="mb-5 flex size-14 items-center justify-center rounded-full bg-primary-subtle text-primary">
        <SearchX aria-hidden className="size-6" />
      </span>
      <h1 className="text-2xl">404 Page Not Found</h1>
      <p className="mt-2 text-base text-muted">
        We can’t find that page. Its address may be mistyped, or it has moved.
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        <ButtonLink href={paths.home} size="lg">
          My Tools
        </ButtonLink>
        <ButtonLink href={paths.help} size="lg" variant="secondary">
          Help & Support
        </ButtonLink>
      </div>
    </div>
  );
};

/** A redirect that remembers where the person wanted to go while they complete their profile. */
const Detour = ({ to, from }: { to: string; from: string }) => {
  const [search] = useSearchParams();
  const target = to === paths.completeProfile ? withReturnTo(to, from) : (safeReturnTo(search.get('returnTo')) ?? to);
  return <Redirect to={target} replace />;
};

const Content = ({ resolution, path }: { resolution: Resolution; path: string }): ReactNode => {
  switch (resolution.show) {
    case 'page': {
      const Page: Page = pages[resolution.page];
      return <Page params={resolution.params} />;
    }
    case 'landing':
      return <LandingPage params={{}} />;
    case 'redirect':
      return <Detour to={resolution.to} from={path + window.location.search} />;
    case 'failure':
      return <Failure />;
    case 'not-found':
      return <NotFound />;
    case 'spinner':
      return <PageSkeleton />;
  }
};

/** The page that a visitor has to sign in to see, such as one linked in a mail; null for the landing page itself and unknown paths. */
const pageAskedFor = (): string | null => {
  const { pathname, search } = window.location;
  const isLanding = pathname === paths.home && !new URLSearchParams(search).has('tab');
  return isLanding || resolveRoute('complete', pathname).show !== 'page' ? null : pathname + search;
};
const never = () => () => undefined;

/** Draws what resolve-route.ts decides; the shell stays while pages change inside it. */
export const Routes = () => {
  const [path] = useLocation();
  const { user, loading } = useUser();
  const resolution = resolveRoute(useSituation(), path);
  const isLanding = resolution.show === 'landing';
  // The server renders the same landing page for every address, so this is null until hydration. On any other page it stays null: a
  // change during hydration would make React draw the page anew, losing what was typed or opened before.
  const wantedPage = useSyncExternalStore(
    never,
    () => (isLanding ? pageAskedFor() : null),
    () => null,
  );
  const content = (
    <ErrorBoundary resetKey={path}>
      <Suspense fallback={<PageSkeleton />}>
        <Content resolution={resolution} path={path} />
      </Suspense>
    </ErrorBoundary>
  );
  // Somebody who may be signed in waits for the signed-in shell; /auth uses the public one for everybody.
  if (resolution.show === 'spinner' || (loading && path !== paths.auth)) {
    return <Frame />;
  }
  if (user && path !== paths.auth) {
    return (
      <Suspense fallback={<Frame />}>
        <SignedInShell user={user}>{content}</SignedInShell>
      </Suspense>
    );
  }
  return (
    <PublicShell signIn={path !== paths.auth} landing={isLanding} returnTo={wantedPage}>
      {content}
    </PublicShell>
  );
};
