import { Bell, ChartNoAxesColumn } from 'lucide-react';
import { Badge } from '#client/ui/badge.tsx';
import { Card, CardHeader } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';

/** Headings and words of A §2. */
export const AnalyticsTab = () => (
  <Card>
    <CardHeader title="Analytics Dashboard" action={<Badge>Last 30 days</Badge>} />
    <EmptyState
      icon={<ChartNoAxesColumn />}
      title="No analytics data"
      description="Start using tools to see your analytics data here."
    />
  </Card>
);

export const NotificationsTab = () => (
  <Card>
    <CardHeader title="Notifications" description="Stay updated with your tool usage and account activity" />
    <EmptyState
      icon={<Bell />}
      title="No notifications"
      description="You'll see notifications about subscriptions, usage, and updates here."
    />
  </Card>
);
