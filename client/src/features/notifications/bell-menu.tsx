import { CheckCheck, List, RotateCw } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import type { Notification } from '#shared/api/notifications.ts';
import { useFollowed, useMarkAllRead } from '#client/features/notifications/change-notices.ts';
import { NoticeLink } from '#client/features/notifications/notice-link.tsx';
import { NoticeIcon } from '#client/features/notifications/notice-type.tsx';
import { businessNow } from '#client/lib/business-time.ts';
import { formatRelative } from '#client/lib/format.ts';
import { paths } from '#client/lib/paths.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { MenuItem, MenuLabel, MenuSeparator } from '#client/ui/menu.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

/** As many as the bell shows (decisions §9). */
const latest = 10;

const Entry = ({ notice, now, onFollow }: { notice: Notification; now: Date; onFollow: () => void }) => (
  <MenuItem asChild onSelect={onFollow} className="items-start! py-2!" textValue={notice.title}>
    <NoticeLink href={notice.actionUrl ?? paths.notifications}>
      <NoticeIcon type={notice.type} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className={`min-w-0 flex-1 truncate ${notice.isRead ? '' : 'font-semibold'}`}>{notice.title}</span>
          <span className="shrink-0 text-xs text-muted">{formatRelative(notice.createdAt, now)}</span>
        </span>
        <span className="line-clamp-2 text-xs text-muted">{notice.message}</span>
      </span>
      <span className={`mt-1.5 size-2 shrink-0 rounded-full ${notice.isRead ? '' : 'bg-danger'}`}>
        {!notice.isRead && <span className="sr-only">Unread</span>}
      </span>
    </NoticeLink>
  </MenuItem>
);

/** What opens under the bell; its code comes when the bell is near being pressed. */
export default function BellMenu({ unread }: { unread: number }) {
  const { data, error, refetch, isFetching } = useApiQuery(contract.notifications.list, { query: { limit: latest } });
  const follow = useFollowed();
  const { mutate: readAll, isPending } = useMarkAllRead();
  const now = businessNow();
  return (
    <div className="w-[min(24rem,calc(100vw-2.5rem))]">
      <MenuLabel className="font-semibold">Notifications</MenuLabel>
      <MenuSeparator />
      <div className="relative max-h-[min(26rem,60dvh)] overflow-y-auto">
        {data?.map((notice) => (
          <Entry key={notice.id} notice={notice} now={now} onFollow={() => !notice.isRead && follow(notice)} />
        ))}
        {data?.length === 0 && <p className="px-2.5 py-6 text-center text-muted">No notifications</p>}
        {!data && error && (
          <>
            <p role="alert" className="px-2.5 py-3 text-danger">
              {error.sentence}
            </p>
            <MenuItem
              disabled={isFetching}
              onSelect={(event) => {
                event.preventDefault();
                void refetch();
              }}
            >
              <RotateCw aria-hidden />
              Try again
            </MenuItem>
          </>
        )}
        {!data && !error && (
          <Loading label="Loading notifications" className="space-y-2 p-2">
            <Skeleton className="h-12" />
            <Skeleton className="h-12" />
            <Skeleton className="h-12" />
          </Loading>
        )}
      </div>
      <MenuSeparator />
      {unread > 0 && (
        <MenuItem
          disabled={isPending}
          onSelect={(event) => {
            // The menu stays open: one sees them being read.
            event.preventDefault();
            readAll();
          }}
        >
          <CheckCheck aria-hidden />
          Mark all as read
        </MenuItem>
      )}
      <MenuItem asChild>
        <NoticeLink href={paths.notifications}>
          <List aria-hidden />
          View all
        </NoticeLink>
      </MenuItem>
    </div>
  );
}
