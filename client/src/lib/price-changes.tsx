import { contract } from '#shared/api/members.ts';
import type { Args } from '#shared/api/endpoint.ts';
import type { Quote } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/money.ts';
import { formatDay } from '#client/lib/format.ts';
import { useApiQuery } from '#client/lib/query.ts';

export type PriceChange = Quote['changes'][number];

type Decision = NonNullable<Args<typeof contract.subscriptions.changes>['query']>;

/** What a decision would do to the payer's other prices. Asked for anew each time it is shown, since others may have changed things. */
export const usePriceChanges = (decision: Decision) =>
  useApiQuery(contract.subscriptions.changes, { query: decision }, { refetchOnMount: 'always' });

/** One list item per price that changes; until they are known, one that says so. */
export const PriceChangeItems = ({
  changes,
  failed,
}: {
  changes: readonly PriceChange[] | undefined;
  failed: boolean;
}) => {
  if (!changes)
    return <li>{failed ? 'How the other prices change could not be loaded.' : 'Looking up the other prices…'}</li>;
  return changes.map(({ toolName, at, fromCents, toCents }) => (
    <li key={toolName} className="figures">
      {toolName} will cost {formatCents(toCents)} a month instead of {formatCents(fromCents)}, from {formatDay(at)}.
    </li>
  ));
};
