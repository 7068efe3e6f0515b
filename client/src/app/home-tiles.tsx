import { Blocks, CalendarDays, Clock } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import { durationText, minutesSaved, sessionsThisMonth } from '#client/features/tools/usage.ts';
import { businessNow } from '#client/lib/business-time.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { Tile } from '#client/ui/tile.tsx';

/** The call answers at most this many sessions: a figure made of all of them is "at least" (decisions §16). */
const usageLimit = 500;
const unknown = '–';

/** Active Tools, This Month and Time Saved: the adviser's real figures (decisions §10). */
export const HomeTiles = () => {
  const tools = useApiQuery(contract.tools.list);
  const subscriptions = useApiQuery(contract.subscriptions.list);
  const usage = useApiQuery(contract.tools.myUsage);

  const active = subscriptions.data && new Set(subscriptions.data.filter((sub) => sub.hasAccess).map((s) => s.toolId));
  const month = usage.data && sessionsThisMonth(usage.data, businessNow());
  const more = month && month.length >= usageLimit ? '+' : '';
  const saved = month && tools.data && minutesSaved(month, tools.data);
  const failed = 'Could not be loaded';
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 max-sm:[&_span[aria-hidden]]:hidden max-sm:[&>:last-child]:col-span-2">
      <Tile
        label="Active Tools"
        icon={<Blocks />}
        value={active ? active.size : unknown}
        note={active ? 'Ready to open' : failed}
        loading={subscriptions.isPending}
      />
      <Tile
        label="This Month"
        icon={<CalendarDays />}
        value={month ? `${month.length}${more}` : unknown}
        note={month ? (month.length === 1 ? 'Session' : 'Sessions') : failed}
        loading={usage.isPending}
      />
      <Tile
        label="Time Saved"
        icon={<Clock />}
        value={saved === undefined ? unknown : durationText(saved) + more}
        note={saved === undefined ? failed : "An estimate, from this month's sessions"}
        loading={usage.isPending || tools.isPending}
      />
    </div>
  );
};
