import type { RecordSession } from '#shared/api/recorded.ts';
import { contract } from '#shared/api/members.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { Button } from '#client/ui/elements.tsx';

/** One press states that the output was checked. */
export const StateChecked = ({ session, variant }: { session: RecordSession; variant?: 'primary' | 'secondary' }) => {
  const { mutate, isPending } = useApiMutation(contract.record.state, {
    failure: 'Your review could not be added. Please try again.',
  });
  return (
    <Button
      size="sm"
      variant={variant ?? 'secondary'}
      pending={isPending}
      pendingLabel="Adding…"
      aria-label={`I reviewed the output: ${session.toolName}, ${formatDateTime(session.createdAt)}`}
      onClick={() => mutate({ params: { id: session.id }, body: { checked: true } })}
    >
      I reviewed the output
    </Button>
  );
};
