import { MonitorSmartphone } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import type { Session } from '#shared/api/security.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { useLogout } from '#client/lib/session/logout.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

const SessionRow = ({ session }: { session: Session }) => {
  const { signOut, pending: leaving } = useLogout();
  const { mutate, isPending } = useApiMutation(contract.security.endSession, {
    onSuccess: () => toast({ title: 'Session Ended', description: `${session.device} was signed out.` }),
    failure: 'Failed to sign out the session. Please try again.',
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

export const SessionList = () => (
  <QueryView
    query={useApiQuery(contract.security.sessions)}
    failedTitle="Your sessions could not be loaded"
    loading={<Loading label="Loading your sessions" className="space-y-3 py-3" skeletons={['h-10', 'h-10']} />}
  >
    {(sessions) => (
      <ul aria-label="Sessions" className="divide-y">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    )}
  </QueryView>
);
