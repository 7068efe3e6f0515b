import { contract } from '#shared/api/index.ts';
import type { Approval } from '#shared/api/operators/approvals.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { Alert, TextLink } from '#client/ui/elements.tsx';

/** What a second administrator has yet to approve about this person or practice. */
export function useWaiting(type: Approval['subject']['type'], id: string): Approval[] {
  const { data } = useApiQuery(contract.approvals.list);
  return (data?.approvals ?? []).filter(
    ({ state, subject }) => state === 'waiting' && subject.type === type && subject.id === id,
  );
}

export const Waiting = ({ type, id }: Approval['subject']) => {
  const waiting = useWaiting(type, id);
  return waiting.length === 0 ? null : (
    <Alert tone="warning" title="Waiting for approval" className="mb-6">
      {waiting.map((approval) => (
        <p key={approval.id}>{approval.sentence}</p>
      ))}
      <TextLink href={paths.desk('today')}>See the approvals</TextLink>
    </Alert>
  );
};
