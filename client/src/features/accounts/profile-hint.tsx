import { TriangleAlert } from 'lucide-react';

type Props = { hint?: string; warning: string | false | undefined };

/** Below a field: a hint, or in its place a warning, which is announced and never stops anybody. */
export const ProfileHint = ({ hint, warning }: Props) => (
  <span aria-live="polite" className={warning ? 'flex gap-1 text-warning' : undefined}>
    {warning && <TriangleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />}
    {warning || hint}
  </span>
);
