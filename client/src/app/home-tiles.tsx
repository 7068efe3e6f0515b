import { Blocks, CalendarDays, Clock } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import { spentText } from '#shared/rules/record/analytics.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { Tile } from '#client/ui/tile.tsx';

const unknown = '–';
/** A non-breaking space keeps the tile's height while it loads. */
const remark = ({ isPending }: { isPending: boolean }) => (isPending ? '\u00a0' : 'Could not be loaded');

export const HomeTiles = () => {
  const subscriptions = useApiQuery(contract.subscriptions.list);
  const analytics = useApiQuery(contract.analytics.dashboard);

  const active = subscriptions.data && new Set(subscriptions.data.filter((sub) => sub.hasAccess).map((s) => s.toolId));
  const month = analytics.data?.thisMonth;
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 lg:col-span-2 max-sm:[&_span[aria-hidden]]:hidden max-sm:[&>:last-child]:col-span-2">
      <Tile
        label="Active Tools"
        icon={<Blocks />}
        value={active ? active.size : unknown}
        note={active ? 'Ready to open' : remark(subscriptions)}
        loading={subscriptions.isPending}
      />
      <Tile
        label="This Month"
        icon={<CalendarDays />}
        value={month ? month.sessions : unknown}
        note={month ? (month.sessions === 1 ? 'Session' : 'Sessions') : remark(analytics)}
        loading={analytics.isPending}
      />
      <Tile
        label="Time Saved"
        icon={<Clock />}
        value={month ? spentText(month.minutesSaved * 60) : unknown}
        note={month ? "An estimate, from this month's sessions" : remark(analytics)}
        loading={analytics.isPending}
      />
    </div>
  );
};
