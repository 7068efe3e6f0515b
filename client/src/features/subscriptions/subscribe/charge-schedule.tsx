import { formatCents } from '#shared/rules/money.ts';
import { formatDay } from '#client/lib/format.ts';

type Charge = { label: string; cents: number; at?: Date | null; note?: string | null };

export const ChargeSchedule = ({ charges }: { charges: readonly Charge[] }) => (
  <dl className="figures flex flex-col gap-2 rounded bg-surface-subtle p-3">
    {charges.map(({ label, cents, at, note }) => (
      <div key={label} className="flex items-baseline justify-between gap-4">
        <dt className="min-w-0">
          {label}
          {at && <span className="text-muted"> on {formatDay(at)}</span>}
          {note && <span className="block text-xs text-muted">{note}</span>}
        </dt>
        <dd className="shrink-0 font-medium">{formatCents(cents)}</dd>
      </div>
    ))}
  </dl>
);
