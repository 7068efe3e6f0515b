import { Bell as BellIcon } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { contract } from '#shared/api/members.ts';
import { notificationActions, useUnread } from '#client/features/notifications/unread-count.ts';
import { LazyMenu } from '#client/lib/pages/lazy-menu.tsx';
import { onWritten } from '#client/lib/calls/request.ts';
import { refetchChangedBy } from '#client/lib/calls/use-api.ts';
import { Button } from '#client/ui/elements.tsx';

const load = () => import('#client/features/notifications/bell-menu.tsx');

/** Writes often come in pairs; the count is fetched once, this long after the last. */
const quietMs = 500;

/** The unread count, undefined until known. Refetched after every write of this page; the lists follow if the count has changed. */
const useFreshUnreadCount = () => {
  const { data, refetch } = useUnread();
  const unread = data?.count;
  const queryClient = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onWritten(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void refetch(), quietMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [refetch]);
  const last = useRef(unread);
  useEffect(() => {
    const changed = last.current !== undefined && last.current !== unread;
    last.current = unread;
    // This page's own actions already show in the lists, and refetch them once done.
    if (changed && queryClient.isMutating({ mutationKey: notificationActions }) === 0)
      void refetchChangedBy(contract.notifications.readAll);
  }, [queryClient, unread]);
  return unread;
};

export const Bell = () => {
  const unread = useFreshUnreadCount();
  return (
    <LazyMenu
      load={load}
      give={{ unread: unread ?? 0 }}
      trigger={
        <Button
          variant="ghost"
          size="icon"
          className="relative"
          aria-label={unread ? `Notifications, ${unread} unread` : 'Notifications'}
          title="Notifications"
        >
          <BellIcon aria-hidden />
          {!!unread && (
            <span
              aria-hidden
              data-testid="unread-dot"
              className="absolute top-1.5 right-1.5 size-2.5 max-sm:top-2.5 max-sm:right-2.5 rounded-full border-2 border-surface bg-danger"
            />
          )}
        </Button>
      }
    />
  );
};
