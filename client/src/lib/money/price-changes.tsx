import type { Args, Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import type { Quote } from '#shared/api/subscriptions.ts';
import { formatCents, sumCents } from '#shared/rules/billing/money.ts';
import { billDay } from '#client/lib/words/format.ts';
import { useTeamName } from '#client/lib/money/payer.tsx';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';

type Decision = NonNullable<Args<typeof contract.subscriptions.changes>['query']>;
type Decided = Reply<typeof contract.subscriptions.changes>;

/** What a decision would do to the payer's other prices and bill. Asked for anew each time it is shown, since others may have changed things. */
export const usePriceChanges = (decision: Decision, { enabled = true } = {}) =>
  useFreshQuery(contract.subscriptions.changes, { query: decision }, { enabled });

type Changes = Quote['changes'];

/** `, since the bulk discount falls from 15% to 10%`; empty where they change for other reasons. */
export function whyChanged(changes: Changes): string {
  const volume = changes[0]?.volume;
  if (!volume || changes.some((one) => one.volume?.from !== volume.from || one.volume.to !== volume.to)) return '';
  const { from, to } = volume;
  if (from === 0) return `, with a bulk discount of ${to}%`;
  if (to === 0) return `, without the bulk discount of ${from}%`;
  return `, since the bulk discount ${to < from ? 'falls' : 'rises'} from ${from}% to ${to}%`;
}

/** "your other tools", or "Riverside Advice’s other tools". */
export const otherTools = (teamName: string | null) => `${teamName === null ? 'your' : `${teamName}’s`} other tools`;

/** As list items: the prices that change; those of one day in one item. `tools` says which they are: "your other tools". */
export const PriceChangeItems = ({ changes, tools }: { changes: Changes; tools: string }) => {
  const [first] = changes;
  if (first && changes.length > 1 && changes.every(({ at }) => billDay(at) === billDay(first.at)))
    return (
      <li className="figures">
        From {billDay(first.at)}, {tools} cost each month{whyChanged(changes)}:
        <ul>
          {changes.map(({ toolName, fromCents, toCents }) => (
            <li key={toolName}>
              {toolName} {formatCents(toCents)} instead of {formatCents(fromCents)}
            </li>
          ))}
        </ul>
      </li>
    );
  return changes.map((change) => (
    <li key={change.toolName} className="figures">
      {change.toolName} will cost {formatCents(change.toCents)} a month instead of {formatCents(change.fromCents)}, from{' '}
      {billDay(change.at)}
      {whyChanged([change])}.
    </li>
  ));
};

/** More would not be read at a glance; Billing has them all. */
const mostRows = 3;

/** What the bill is made of, where that is more than the months of its tools. */
export function rowsAfter(bill: Decided['bill']): { label: string; cents: number }[] {
  if (!bill || bill.isLast || bill.rest.length === 0) return [];
  const restCents = sumCents(bill.rest);
  const rest =
    bill.rest.length > mostRows ? [{ label: 'Days of other months, and credit', cents: restCents }] : bill.rest;
  return [{ label: 'Tools for the month', cents: bill.totalCents - restCents }, ...rest];
}

/** `Your bill of 26 Jan is then $67.50.`, or what the last one takes. */
export function billAfter(bill: Decided['bill'], whose: string): string {
  if (!bill) return 'Nothing more is charged.';
  const [total, day] = [formatCents(bill.totalCents), billDay(bill.at)];
  if (!bill.isLast) return `${whose} bill of ${day} is then ${total}${rowsAfter(bill).length > 0 ? ':' : '.'}`;
  if (bill.totalCents > 0) return `A last ${total} is charged on ${day}, for days that were not paid yet.`;
  return bill.leftCents > 0 ? `${formatCents(bill.leftCents)} is refunded on ${day}.` : 'Nothing more is charged.';
}

/** As list items: what becomes of the other prices, and of the bill. Until that is known, one that says so. */
export const AfterDecision = ({ decision }: { decision: Decision }) => {
  const { data, isError } = usePriceChanges(decision);
  const team = useTeamName({ teamId: decision.teamId });
  if (!data) return <li>{isError ? 'The new bill could not be loaded.' : 'Working out the new bill…'}</li>;
  return (
    <>
      <PriceChangeItems changes={data.changes} tools={otherTools(team)} />
      <li className="figures">
        {billAfter(data.bill, team === null ? 'Your' : `${team}’s`)}
        <ul>
          {rowsAfter(data.bill).map(({ label, cents }, index) => (
            <li key={index} className="flex justify-between gap-4">
              {label} <span>{formatCents(cents)}</span>
            </li>
          ))}
        </ul>
      </li>
    </>
  );
};
