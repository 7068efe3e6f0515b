import type { ReactNode } from 'react';
import { Panel } from '#client/ui/card.tsx';

/** What is known about a person or a team, with a dash for what isn't. */
export const Facts = ({ rows }: { rows: readonly (readonly [label: string, value: ReactNode])[] }) => (
  <Panel title="Details">
    <dl className="space-y-2 text-sm">
      {rows.map(([label, value]) => (
        <div key={label} className="flex flex-wrap justify-between gap-x-4">
          <dt className="text-muted">{label}</dt>
          <dd className="min-w-0 text-right [overflow-wrap:anywhere]">{value || '–'}</dd>
        </div>
      ))}
    </dl>
  </Panel>
);
