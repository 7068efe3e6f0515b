import { businessNow } from '#client/lib/business-time.ts';
import { formatDateTime, formatRelative } from '#client/lib/format.ts';

/** A time as `3 hours ago`, with the exact one as its title. */
export const RelativeTime = ({ at, className }: { at: Date; className?: string }) => (
  <time dateTime={at.toISOString()} title={formatDateTime(at)} className={className}>
    {formatRelative(at, businessNow())}
  </time>
);
