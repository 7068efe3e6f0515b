import { Bell, ChartNoAxesColumn } from 'lucide-react';
import { Badge } from '#client/ui/badge.tsx';
import { Card, CardHeader } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';

/** Headings of A §2. The panels are not built: they say so, rather than that there is nothing. */
export const AnalyticsTab = () => (
  <Card>
    <CardHeader title="Analytics Dashboard" action={<Badge>Last 30 days</Badge>} />
    <EmptyState
      icon={<ChartNoAxesColumn />}
      title="Not available yet"
      description="Your tool sessions are recorded already; this tab is going to show the last 30 days of them."
    />
  </Card>
);

export const NotificationsTab = () => (
  <Card>
    <CardHeader title="Notifications" description="Stay updated with your tool usage and account activity" />
    <EmptyState
      icon={<Bell />}
      title="Not available yet"
      description="Notices about your subscriptions are kept already; this tab is going to list them."
    />
  </Card>
);
