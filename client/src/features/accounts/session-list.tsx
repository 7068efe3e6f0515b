import { MonitorSmartphone } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import type { Session } from '#shared/api/security.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { formatDateTime } from '#client/lib/format.ts';
import { useLogout } from '#client/lib/logout.ts';
import { useApiMutation, useApiQuery } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

const SessionRow = ({ session }: { session: Session }) => {
  const { signOut, pending: leaving } = useLogout();
  const { mutate, isPending } = useApiMutation(contract.security.endSession, {
    invalidates: [contract.security.sessions],
    onSuccess: () => toast({ title: 'Session Ended', description: `${session.device} was signed out.` }),
    onError: (error) =>
      toast({
        title: 'Error',
        description: sentenceOf(error, 'Failed to sign out the session. Please try again.'),
        variant: 'destructive',
      }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <MonitorSmartphone aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {session.device}
          {session.current && <Badge tone="success">This device</Badge>}
        </p>
        <p className="figures text-xs text-muted">
          Last used {formatDateTime(session.lastSeenAt)} · signed in {formatDateTime(session.createdAt)}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={session.current ? 'Sign out this device' : `Sign out ${session.device}`}
        pending={leaving || isPending}
        pendingLabel="Signing out…"
        onClick={() => (session.current ? signOut() : mutate({ params: { id: session.id } }))}
      >
        Sign out
      </Button>
    </li>
  );
};

/** Where the account is signed in, each to be ended (decisions §3). */
export const SessionList = () => {
  const { data, error, refetch, isFetching } = useApiQuery(contract.security.sessions);
  if (error && !data) {
    return <ErrorState message={error.sentence} requestId={error.requestId} onRetry={refetch} retrying={isFetching} />;
  }
  if (!data) {
    return (
      <Loading label="Loading your sessions" className="space-y-3 py-3">
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
      </Loading>
    );
  }
  return (
    <ul aria-label="Sessions" className="divide-y">
      {data.map((session) => (
        <SessionRow key={session.id} session={session} />
      ))}
    </ul>
  );
};
