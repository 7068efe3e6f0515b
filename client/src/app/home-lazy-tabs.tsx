import { lazy, Suspense } from 'react';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

// Charts and lists come with their tab, not with the dashboard.
const AnalyticsPanel = lazy(() => import('#client/features/analytics/analytics-panel.tsx'));
const NotificationsPanel = lazy(() => import('#client/features/notifications/notifications-panel.tsx'));

export const AnalyticsTab = () => (
  <Suspense
    fallback={
      <Loading label="Loading your analytics" className="grid gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-4">
        {[0, 1, 2, 3].map((card) => (
          <Skeleton key={card} className="h-28" />
        ))}
      </Loading>
    }
  >
    <AnalyticsPanel />
  </Suspense>
);

export const NotificationsTab = () => (
  <Suspense
    fallback={
      <Loading label="Loading your notifications">
        <Skeleton className="h-80" />
      </Loading>
    }
  >
    <NotificationsPanel />
  </Suspense>
);
