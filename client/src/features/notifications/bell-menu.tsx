import type { ReactNode } from 'react';
import { CheckCheck, List, RotateCw } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import type { Notification } from '#shared/api/notifications.ts';
import { useMarkAllRead, useMarkReadQuietly } from '#client/features/notifications/notification-actions.ts';
import { NotificationLink } from '#client/features/notifications/notification-link.tsx';
import { NotificationIcon } from '#client/features/notifications/notification-type.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { formatRelative } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#client/ui/menu.tsx';
import { Loading } from '#client/ui/query-view.tsx';

const latest = 10;

const Entry = ({ notification, now, onFollow }: { notification: Notification; now: Date; onFollow: () => void }) => (
  <MenuItem asChild onSelect={onFollow} className="items-start! py-2!" textValue={notification.title}>
    <NotificationLink href={notification.actionUrl ?? paths.notifications}>
      <NotificationIcon type={notification.type} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className={`min-w-0 flex-1 truncate ${notification.isRead ? '' : 'font-semibold'}`}>
            {notification.title}
          </span>
          <span className="shrink-0 text-xs text-muted">{formatRelative(notification.createdAt, now)}</span>
        </span>
        <span className="line-clamp-2 text-xs text-muted">{notification.message}</span>
      </span>
      <span className={`mt-1.5 size-2 shrink-0 rounded-full ${notification.isRead ? '' : 'bg-danger'}`}>
        {!notification.isRead && <span className="sr-only">Unread</span>}
      </span>
    </NotificationLink>
  </MenuItem>
);

const Entries = ({ unread }: { unread: number }) => {
  const { data, error, refetch, isFetching } = useApiQuery(contract.notifications.list, { query: { limit: latest } });
  const follow = useMarkReadQuietly();
  const { mutate: readAll, isPending } = useMarkAllRead();
  const now = businessNow();
  return (
    <div className="w-[min(24rem,calc(100vw-2.5rem))]">
      <MenuLabel className="font-semibold">Notifications</MenuLabel>
      <MenuSeparator />
      <div className="relative max-h-[min(26rem,60dvh)] overflow-y-auto">
        {data?.map((notification) => (
          <Entry
            key={notification.id}
            notification={notification}
            now={now}
            onFollow={() => !notification.isRead && follow(notification)}
          />
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
          <Loading label="Loading notifications" className="space-y-2 p-2" skeletons={['h-12', 'h-12', 'h-12']} />
        )}
      </div>
      <MenuSeparator />
      {unread > 0 && (
        <MenuItem
          disabled={isPending}
          onSelect={(event) => {
            // Keeps the menu open, so that the change is seen.
            event.preventDefault();
            readAll();
          }}
        >
          <CheckCheck aria-hidden />
          Mark all as read
        </MenuItem>
      )}
      <MenuItem asChild>
        <NotificationLink href={paths.notifications}>
          <List aria-hidden />
          View all
        </NotificationLink>
      </MenuItem>
    </div>
  );
};

export default function BellMenu({ trigger, unread }: { trigger: ReactNode; unread: number }) {
  return (
    <Menu trigger={trigger}>
      <Entries unread={unread} />
    </Menu>
  );
}
