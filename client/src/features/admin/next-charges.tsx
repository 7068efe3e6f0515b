import type { UseQueryResult } from '@tanstack/react-query';
import type { Forecast } from '#shared/api/billing.ts';
import { cardName, formatCents } from '#shared/rules/money.ts';
import { formatDay } from '#client/lib/format.ts';
import { Panel } from '#client/ui/card.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

type Props = { query: UseQueryResult<Forecast>; description: string };

/** What a payer will be charged, line by line, as their own pages and mails show it. */
export const NextCharges = ({ query, description }: Props) => (
  <Panel title="Next charges" description={description}>
    <QueryView
      query={query}
      failedTitle="The next charges could not be loaded"
      loading={<Loading label="Loading the next charges" className="grid gap-2" skeletons={['h-5', 'h-5', 'h-5']} />}
      isEmpty={({ charges, endings }) => charges.length + endings.length === 0}
      empty={<p className="text-sm text-muted">Nothing is due.</p>}
    >
      {({ charges, endings, card }) => (
        <ul className="figures divide-y text-sm">
          {charges.map(({ subscriptionId, at, toolName, lines, totalCents, gstCents }) => (
            <li key={`${subscriptionId} ${at.toISOString()}`} className="py-3 first:pt-0 last:pb-0">
              <p className="flex justify-between gap-4 font-medium">
                <span>
                  {toolName}, {formatDay(at)}
                </span>
                <span>{formatCents(totalCents)}</span>
              </p>
              {lines.map((line) => (
                <p key={`${line.kind} ${line.label}`} className="flex justify-between gap-4 text-muted">
                  <span>
                    {line.label}
                    {line.kind === 'price' && line.quantity !== 1 && ` × ${line.quantity}`}
                    {line.kind === 'discount' && line.endsAt && `, until ${formatDay(line.endsAt)}`}
                  </span>
                  <span>{formatCents(line.kind === 'discount' ? -Math.abs(line.cents) : line.cents)}</span>
                </p>
              ))}
              <p className="text-xs text-muted">
                GST in it {formatCents(gstCents)} · {card ? cardName(card) : 'no card on file'}
              </p>
            </li>
          ))}
          {endings.map(({ subscriptionId, at, toolName }) => (
            <li key={subscriptionId} className="py-3 text-muted first:pt-0 last:pb-0">
              {toolName} ends on {formatDay(at)} by itself.
            </li>
          ))}
        </ul>
      )}
    </QueryView>
  </Panel>
);
