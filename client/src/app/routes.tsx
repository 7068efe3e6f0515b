import { type ReactNode, Suspense } from 'react';
import { Redirect, useLocation, useSearchParams } from 'wouter';
import { ErrorBoundary } from '#client/app/error-boundary.tsx';
import { NotFound } from '#client/app/not-found.tsx';
import { PageSkeleton } from '#client/app/page-skeleton.tsx';
import { landingPage, pages } from '#client/app/pages.ts';
import { PublicShell } from '#client/app/public-shell.tsx';
import { type Resolution, resolveRoute, type Situation } from '#client/app/resolve-route.ts';
import { SignedInShell } from '#client/app/signed-in-shell.ts';
import { paths, safeReturnTo, withReturnTo } from '#client/lib/paths.ts';
import { useUser } from '#client/lib/session.ts';
import { useSessionEnded } from '#client/lib/session-ended.ts';
import { ErrorState } from '#client/ui/error-state.tsx';
import { PageSpinner } from '#client/ui/page-spinner.tsx';

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
  return (
    <ErrorState
      title="The page could not be loaded"
      message={error?.sentence ?? 'Please try again.'}
      requestId={error?.requestId}
      onRetry={refetch}
      retrying={refetching}
    />
  );
};

/** Where the guard sends somebody; what they wanted is kept through the completion of the profile. */
const Detour = ({ to, from }: { to: string; from: string }) => {
  const [search] = useSearchParams();
  const target = to === paths.completeProfile ? withReturnTo(to, from) : (safeReturnTo(search.get('returnTo')) ?? to);
  return <Redirect to={target} replace />;
};

const Content = ({ resolution, path }: { resolution: Resolution; path: string }): ReactNode => {
  switch (resolution.show) {
    case 'page': {
      const { Component } = pages[resolution.page];
      return <Component params={resolution.params} />;
    }
    case 'landing':
      return <landingPage.Component params={{}} />;
    case 'redirect':
      return <Detour to={resolution.to} from={path + window.location.search} />;
    case 'failure':
      return <Failure />;
    case 'not-found':
      return <NotFound />;
    case 'spinner':
      return <PageSpinner />;
  }
};

/** The route table with its guards; the frame stays while pages change in it. */
export const Routes = () => {
  const [path] = useLocation();
  const { user, loading } = useUser();
  const resolution = resolveRoute(useSituation(), path);
  const content = (
    <ErrorBoundary resetKey={path}>
      <Suspense fallback={<PageSkeleton />}>
        <Content resolution={resolution} path={path} />
      </Suspense>
    </ErrorBoundary>
  );
  // Who may be signed in waits for their own header; /auth has one for both.
  if (resolution.show === 'spinner' || (loading && path !== paths.auth)) {
    return (
      <main id="main">
        <PageSpinner />
      </main>
    );
  }
  if (user && path !== paths.auth) {
    return (
      <Suspense fallback={<PageSpinner />}>
        <SignedInShell user={user}>{content}</SignedInShell>
      </Suspense>
    );
  }
  return (
    <PublicShell signIn={path !== paths.auth} landing={resolution.show === 'landing'}>
      {content}
    </PublicShell>
  );
};
