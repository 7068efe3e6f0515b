import { CalendarClock, ChartNoAxesColumn, Info, type LucideIcon, Trophy } from 'lucide-react';
import type { NotificationType } from '#shared/rules/people/notifications.ts';
import { AppLink, type AppLinkProps } from '#client/ui/elements.tsx';

/** Red is for what is wrong, and no type says that by itself. */
const looks: Record<NotificationType, { Icon: LucideIcon; icon: string }> = {
  system_alert: { Icon: Info, icon: 'bg-info-subtle text-info' },
  usage_milestone: { Icon: Trophy, icon: 'bg-success-subtle text-success' },
  performance_report: { Icon: ChartNoAxesColumn, icon: 'bg-primary-subtle text-primary' },
  subscription_renewal: { Icon: CalendarClock, icon: 'bg-surface-subtle text-muted' },
};

export const NotificationIcon = ({ type }: { type: NotificationType }) => {
  const { Icon, icon } = looks[type];
  return (
    <span aria-hidden className={`flex size-8 shrink-0 items-center justify-center rounded-full ${icon}`}>
      <Icon className="size-4 text-inherit!" />
    </span>
  );
};

export const TypeBadge = ({ type }: { type: NotificationType }) => (
  <span className="inline-block first-letter:uppercase">{type.replaceAll('_', ' ')}</span>
);

/** A page of ours opens in place, another site in a new tab. */
export const NotificationLink = (props: AppLinkProps) => (
  <AppLink {...props} {...(!props.href.startsWith('/') && { target: '_blank', rel: 'noopener noreferrer' })} />
);
