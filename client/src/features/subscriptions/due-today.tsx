import { billsThen, dueToday, offerTerms, type Terms } from '#client/features/subscriptions/charge-terms.ts';

/** What the press beside it charges, for which days, and what the bills are then. */
export const DueToday = ({ terms }: { terms: Terms }) => (
  <p className="figures rounded bg-surface-subtle p-3">
    <span className="font-medium">{dueToday(terms)}</span> {billsThen(terms)} {offerTerms(terms)}
  </p>
);
