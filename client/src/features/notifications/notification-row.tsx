import { Check, Trash2 } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import type { Notification } from '#shared/api/notifications.ts';
import { NotificationLink } from '#client/features/notifications/notification-link.tsx';
import { NotificationIcon, TypeBadge } from '#client/features/notifications/notification-type.tsx';
import { formatDateTime } from '#client/lib/words/format.ts';
import { Button } from '#client/ui/button.tsx';

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
  const next = leaving ? (row?.nextElementSibling ?? row?.previousElementSibling) : row;
  (deleteButton(next) ?? row?.closest<HTMLElement>('section'))?.focus();
};

const Row = ({ notification, ago, onRead, onFollow, onDelete }: Props) => {
  const { type, title, message, isRead, actionUrl, createdAt } = notification;
  return (
    <li
      data-unread={!isRead || undefined}
      // Rows out of sight are neither laid out nor painted.
      className="flex gap-3 rounded-sm px-3 py-3 [contain-intrinsic-size:auto_5.5rem] [content-visibility:auto] data-unread:bg-primary-subtle"
    >
      <NotificationIcon type={type} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className={isRead ? '' : 'font-semibold'}>
            {actionUrl ? (
              <NotificationLink
                href={actionUrl}
                className="rounded-sm underline decoration-muted/50 underline-offset-4 hover:decoration-current"
                onClick={() => !isRead && onFollow(notification)}
              >
                {title}
              </NotificationLink>
            ) : (
              title
            )}
          </span>
          <TypeBadge type={type} />
          {!isRead && <span className="sr-only">Unread</span>}
        </p>
        <p className="mt-0.5 break-words">{message}</p>
        <time
          dateTime={createdAt.toISOString()}
          title={formatDateTime(createdAt)}
          className="mt-1 block text-xs text-muted"
        >
          {ago}
        </time>
      </div>
      <div className="flex shrink-0 items-start max-sm:flex-col">
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
    </li>
  );
};

/** A refetch brings the same notifications as new objects; a thousand rows need not render again. */
export const NotificationRow = memo(
  Row,
  (a, b) =>
    a.notification.id === b.notification.id &&
    a.notification.isRead === b.notification.isRead &&
    a.ago === b.ago &&
    a.onRead === b.onRead &&
    a.onFollow === b.onFollow &&
    a.onDelete === b.onDelete,
);
