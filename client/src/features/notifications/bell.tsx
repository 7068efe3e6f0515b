import { Bell as BellIcon } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useFreshNotices, useUnreadCount } from '#client/features/notifications/unread.ts';
import { Button } from '#client/ui/button.tsx';
import { LazyMenu } from '#client/ui/lazy-menu.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

const load = () => import('#client/features/notifications/bell-menu.tsx');
const BellMenu = lazy(load);
const early = () => void load().catch(() => undefined);

/** The header's bell (A §2): a red dot while something is unread, and a menu of the latest ten. */
export const Bell = () => {
  const unread = useUnreadCount();
  useFreshNotices(unread);
  return (
    <LazyMenu
      prepare={early}
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
              className="absolute top-1.5 right-1.5 size-2.5 rounded-full border-2 border-surface bg-danger"
            />
          )}
        </Button>
      }
    >
      <Suspense
        fallback={
          <Loading label="Loading notifications" className="w-80 space-y-2 p-2">
            <Skeleton className="h-12" />
            <Skeleton className="h-12" />
          </Loading>
        }
      >
        <BellMenu unread={unread ?? 0} />
      </Suspense>
    </LazyMenu>
  );
};
