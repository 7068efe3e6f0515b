import { CalendarClock, ChartNoAxesColumn, Info, type LucideIcon, Trophy } from 'lucide-react';
import type { NotificationType } from '#shared/rules/people/notifications.ts';
import { AppLink, type AppLinkProps, Badge, type Tone } from '#client/ui/elements.tsx';

const looks: Record<NotificationType, { Icon: LucideIcon; icon: string; tone: Tone; badge: string }> = {
  system_alert: {
    Icon: Info,
    icon: 'bg-danger-subtle text-danger',
    tone: 'danger',
    badge: 'bg-danger! text-danger-foreground!',
  },
  usage_milestone: {
    Icon: Trophy,
    icon: 'bg-primary-subtle text-primary',
    tone: 'primary',
    badge: 'bg-primary! text-primary-foreground!',
  },
  performance_report: {
    Icon: ChartNoAxesColumn,
    icon: 'bg-info-subtle text-info',
    tone: 'outline',
    badge: 'border-control!',
  },
  subscription_renewal: { Icon: CalendarClock, icon: 'bg-surface-subtle text-muted', tone: 'neutral', badge: '' },
};

export const NotificationIcon = ({ type }: { type: NotificationType }) => {
  const { Icon, icon } = looks[type];
  return (
    <span
      aria-hidden
      className={`flex size-8 shrink-0 items-center justify-center rounded-full in-data-unread:bg-surface ${icon}`}
    >
      <Icon className="size-4 text-inherit!" />
    </span>
  );
};

/** The type's name with its first underscore as a space: `performance report`. */
export const TypeBadge = ({ type }: { type: NotificationType }) => (
  <Badge tone={looks[type].tone} className={looks[type].badge}>
    {type.replace('_', ' ')}
  </Badge>
);

/** A page of ours opens in place, another site in a new tab. */
export const NotificationLink = (props: AppLinkProps) => (
  <AppLink {...props} {...(!props.href.startsWith('/') && { target: '_blank', rel: 'noopener noreferrer' })} />
);
