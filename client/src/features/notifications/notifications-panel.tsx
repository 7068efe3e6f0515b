import { Bell, Check, CheckCheck, Trash2 } from 'lucide-react';
import { memo, type MouseEvent, type UIEvent, useId, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { type Notification, notificationsLimit } from '#shared/api/notifications.ts';
import {
  useDeleteNotification,
  useMarkAllRead,
  useMarkRead,
  useMarkReadQuietly,
} from '#client/features/notifications/notification-actions.ts';
import { useUnread } from '#client/features/notifications/unread-count.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { day as dayMs, plus } from '#shared/rules/dates.ts';
import { formatDateTime, formatDay, formatRelative } from '#client/lib/words/format.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { Button, Card, CardBody, CardHeader } from '#client/ui/elements.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { NotificationIcon, NotificationLink, TypeBadge } from '#client/features/notifications/notification-type.tsx';

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
                {unread} unread
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
      <CardBody className="px-2! pt-3!">
        <QueryView
          query={query}
          failedTitle="Your notifications could not be loaded"
          loading={
            <Loading
              label="Loading your notifications"
              className="space-y-4 px-3 py-2"
              skeletons={Array<string>(4).fill('h-12')}
            />
          }
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
            <div
              role="group"
              tabIndex={0}
              aria-labelledby={headingId}
              aria-busy={isPlaceholderData}
              onScroll={onScroll}
              className="relative rounded-sm sm:scroll-shadows-y sm:max-h-[400px] sm:overflow-y-auto"
            >
              {byAge(notifications, now).map(([age, ofAge]) => (
                <section key={age} aria-label={age}>
                  <h3 className="sticky top-0 z-10 bg-surface px-3 pt-3 pb-1 text-xs font-medium text-muted">{age}</h3>
                  <ul className="divide-y">
                    {ofAge.map((notification) => (
                      <NotificationRow
                        key={notification.id}
                        notification={notification}
                        ago={formatRelative(notification.createdAt, now)}
                        onRead={onRead}
                        onFollow={onFollow}
                        onDelete={onDelete}
                      />
                    ))}
                  </ul>
                </section>
              ))}
              {more && (
                <div className="p-2 text-center">
                  <Button variant="secondary" size="sm" onClick={showMore}>
                    Show older
                  </Button>
                </div>
              )}
            </div>
          )}
        </QueryView>
      </CardBody>
    </Card>
  );
}

/** In the order of the list; each row says how long ago it was. */
const byAge = (notifications: readonly Notification[], now: Date) => {
  const groups = new Map<string, Notification[]>();
  const [today, lastWeek] = [formatDay(now), plus(now, -7 * dayMs)];
  for (const notification of notifications) {
    const { createdAt } = notification;
    const name = formatDay(createdAt) === today ? 'Today' : createdAt > lastWeek ? 'Last 7 days' : 'Earlier';
    const group = groups.get(name);
    if (group) group.push(notification);
    else groups.set(name, [notification]);
  }
  return [...groups];
};

type Props = {
  notification: Notification;
  ago: string;
  onRead: (notification: Notification) => void;
  onFollow: (notification: Notification) => void;
  onDelete: (notification: Notification) => void;
};

const deleteButton = (row: Element | null | undefined) => row?.querySelector<HTMLElement>('[data-delete]');

/** The clicked button is about to disappear: focus moves within the row, to a neighbouring row, or to the panel. */
const keepFocus = ({ currentTarget }: MouseEvent, leaving: boolean) => {
  const row = currentTarget.closest('li');
  const panel = row?.closest<HTMLElement>('[tabindex="-1"]');
  const rows = [...(panel?.querySelectorAll('li') ?? [])];
  const at = rows.findIndex((each) => each === row);
  const next = leaving ? (rows[at + 1] ?? rows[at - 1]) : row;
  (deleteButton(next) ?? panel)?.focus();
};

const Row = ({ notification, ago, onRead, onFollow, onDelete }: Props) => {
  const { type, title, message, isRead, actionUrl, createdAt } = notification;
  return (
    <li
      data-unread={!isRead || undefined}
      // Rows out of sight are neither laid out nor painted.
      className="group flex gap-3 px-3 py-2 [contain-intrinsic-size:auto_3.5rem] [content-visibility:auto] focus-within:bg-surface-subtle hover:bg-surface-subtle"
    >
      <NotificationIcon type={type} />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center sm:flex sm:gap-x-2">
        <div className="col-span-2 min-w-0 sm:flex-1">
          <p className={isRead ? 'font-medium' : 'font-semibold'}>
            {!isRead && (
              <span className="mr-1.5 mb-px inline-block size-2 rounded-full bg-primary">
                <span className="sr-only">Unread</span>
              </span>
            )}
            {actionUrl ? (
              <NotificationLink
                href={actionUrl}
                className="rounded-sm underline-offset-4 group-hover:underline max-sm:underline max-sm:decoration-muted/50"
                onClick={() => !isRead && onFollow(notification)}
              >
                {title}
              </NotificationLink>
            ) : (
              title
            )}
          </p>
          <p className="break-words text-muted">{message}</p>
        </div>
        <p className="flex flex-wrap gap-x-1 text-xs whitespace-nowrap text-muted sm:order-last">
          <TypeBadge type={type} />
          <span aria-hidden>·</span>
          <time dateTime={createdAt.toISOString()} title={formatDateTime(createdAt)}>
            {ago}
          </time>
        </p>
        {/* With a mouse they appear on the row that it is over. */}
        <div className="-my-1 flex shrink-0 justify-end text-muted sm:w-18 sm:pointer-fine:opacity-0 sm:pointer-fine:group-focus-within:opacity-100 sm:pointer-fine:group-hover:opacity-100">
          {!isRead && (
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Mark as read: ${title}`}
              title="Mark as read"
              onClick={(event) => {
                keepFocus(event, false);
                onRead(notification);
              }}
            >
              <Check aria-hidden />
            </Button>
          )}
          <Button
            data-delete
            variant="ghost"
            size="icon"
            aria-label={`Delete: ${title}`}
            title="Delete"
            onClick={(event) => {
              keepFocus(event, true);
              onDelete(notification);
            }}
          >
            <Trash2 aria-hidden />
          </Button>
        </div>
      </div>
    </li>
  );
};

/** A refetch brings the same notifications as new objects; a thousand rows need not render again. */
const NotificationRow = memo(
  Row,
  (a, b) =>
    a.notification.id === b.notification.id &&
    a.notification.isRead === b.notification.isRead &&
    a.ago === b.ago &&
    a.onRead === b.onRead &&
    a.onFollow === b.onFollow &&
    a.onDelete === b.onDelete,
);
