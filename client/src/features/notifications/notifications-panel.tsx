import { Bell, CheckCheck } from 'lucide-react';
import { type UIEvent, useId, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { notificationsLimit } from '#shared/api/notifications.ts';
import {
  useDeleteNotification,
  useMarkAllRead,
  useMarkRead,
  useMarkReadQuietly,
} from '#client/features/notifications/notification-actions.ts';
import { NotificationRow } from '#client/features/notifications/notification-row.tsx';
import { useUnread } from '#client/features/notifications/unread-count.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { formatRelative } from '#client/lib/words/format.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { Button } from '#client/ui/button.tsx';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';
import { EmptyState, Loading, QueryView, Skeleton } from '#client/ui/query-view.tsx';

/** The list starts with `firstPart` rows and grows by `nextPart`, as many as render without a pause. */
const firstPart = 50;
const nextPart = 100;
/** Pixels from the end of the list at which more are fetched. */
const nearEnd = 600;

export default function NotificationsPanel() {
  const headingId = useId();
  const unread = useUnread().data?.count ?? 0;
  const [limit, setLimit] = useState(firstPart);
  const query = useApiQuery(contract.notifications.list, { query: { limit } }, { keepPrevious: true });
  const { mutate: readAll, isPending: readingAll } = useMarkAllRead();
  const [onRead, onFollow, onDelete] = [useMarkRead(), useMarkReadQuietly(), useDeleteNotification()];

  const { data, isPlaceholderData } = query;
  const more = !!data && !isPlaceholderData && data.length >= limit && limit < notificationsLimit;
  const showMore = () => setLimit((last) => Math.min(notificationsLimit, last + nextPart));
  const onScroll = ({ currentTarget: list }: UIEvent<HTMLElement>) => {
    if (more && list.scrollHeight - list.scrollTop - list.clientHeight < nearEnd) showMore();
  };
  const now = businessNow();
  return (
    <Card aria-labelledby={headingId} tabIndex={-1}>
      <CardHeader
        title={
          <span className="flex items-center gap-2">
            <span id={headingId}>Notifications</span>
            {unread > 0 && (
              <span className="figures flex h-5 min-w-5 items-center justify-center rounded-full bg-danger px-1.5 text-xs font-semibold text-danger-foreground">
                {unread}
                <span className="sr-only"> unread</span>
              </span>
            )}
          </span>
        }
        description="Stay updated with your tool usage and account activity"
        action={
          unread > 0 && (
            <Button variant="secondary" size="sm" pending={readingAll} onClick={() => readAll()}>
              <CheckCheck aria-hidden />
              Mark all as read
            </Button>
          )
        }
      />
      <CardBody className="px-2! pt-3! sm:px-3!">
        <QueryView
          query={query}
          failedTitle="Your notifications could not be loaded"
          loading={<NotificationsSkeleton />}
          empty={
            <EmptyState
              icon={<Bell />}
              title="No notifications"
              description="You'll see notifications about subscriptions, usage, and updates here."
            />
          }
        >
          {(notifications) => (
            // Focusable, so that the keyboard can scroll it.
            <ul
              tabIndex={0}
              aria-labelledby={headingId}
              aria-busy={isPlaceholderData}
              onScroll={onScroll}
              className="relative max-h-[400px] space-y-1 overflow-y-auto rounded-sm px-1"
            >
              {notifications.map((notification) => (
                <NotificationRow
                  key={notification.id}
                  notification={notification}
                  ago={formatRelative(notification.createdAt, now)}
                  onRead={onRead}
                  onFollow={onFollow}
                  onDelete={onDelete}
                />
              ))}
              {more && (
                <li className="p-2 text-center">
                  <Button variant="secondary" size="sm" onClick={showMore}>
                    Show older
                  </Button>
                </li>
              )}
            </ul>
          )}
        </QueryView>
      </CardBody>
    </Card>
  );
}

const NotificationsSkeleton = () => (
  <Loading label="Loading your notifications" className="space-y-4 px-3 py-2">
    {[0, 1, 2, 3].map((row) => (
      <div key={row} className="flex gap-3">
        <Skeleton className="size-8 rounded-full!" />
        <div className="flex-1 space-y-2">
          <Skeleton className="h-4 w-48 max-w-full" />
          <Skeleton className="h-4" />
        </div>
      </div>
    ))}
  </Loading>
);
