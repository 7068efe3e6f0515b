import { Check, Trash2 } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import type { Notification } from '#shared/api/notifications.ts';
import { NoticeLink } from '#client/features/notifications/notice-link.tsx';
import { NoticeIcon, TypeBadge } from '#client/features/notifications/notice-type.tsx';
import { formatDateTime } from '#client/lib/format.ts';
import { Button } from '#client/ui/button.tsx';

type Props = {
  notice: Notification;
  /** When it was written, in words. */
  ago: string;
  onRead: (notice: Notification) => void;
  onFollow: (notice: Notification) => void;
  onDelete: (notice: Notification) => void;
};

const deleteButton = (row: Element | null | undefined) => row?.querySelector<HTMLElement>('[data-delete]');

/** The button pressed is about to go: the focus goes on within the row, or to the next one, or to the list. */
const keepFocus = ({ currentTarget }: MouseEvent, leaving: boolean) => {
  const row = currentTarget.closest('li');
  const next = leaving ? (row?.nextElementSibling ?? row?.previousElementSibling) : row;
  (deleteButton(next) ?? row?.closest<HTMLElement>('section'))?.focus();
};

const Row = ({ notice, ago, onRead, onFollow, onDelete }: Props) => {
  const { type, title, message, isRead, actionUrl, createdAt } = notice;
  return (
    <li
      data-unread={!isRead || undefined}
      // What is out of sight is neither laid out nor painted.
      className="flex gap-3 rounded-sm px-3 py-3 [contain-intrinsic-size:auto_5.5rem] [content-visibility:auto] data-unread:bg-primary-subtle"
    >
      <NoticeIcon type={type} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className={isRead ? '' : 'font-semibold'}>
            {actionUrl ? (
              <NoticeLink
                href={actionUrl}
                className="rounded-sm underline decoration-muted/50 underline-offset-4 hover:decoration-current"
                onClick={() => !isRead && onFollow(notice)}
              >
                {title}
              </NoticeLink>
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
              onRead(notice);
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
            onDelete(notice);
          }}
        >
          <Trash2 aria-hidden />
        </Button>
      </div>
    </li>
  );
};

/** A list that is fetched again brings equal notices as new objects: a thousand rows need not be made again for it. */
export const NoticeRow = memo(
  Row,
  (a, b) =>
    a.notice.id === b.notice.id &&
    a.notice.isRead === b.notice.isRead &&
    a.ago === b.ago &&
    a.onRead === b.onRead &&
    a.onFollow === b.onFollow &&
    a.onDelete === b.onDelete,
);
