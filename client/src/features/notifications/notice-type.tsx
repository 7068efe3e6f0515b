import { CalendarClock, ChartNoAxesColumn, Info, Trophy, type LucideIcon } from 'lucide-react';
import type { NotificationType } from '#shared/rules/notifications.ts';
import { Badge, type Tone } from '#client/ui/badge.tsx';

/** Icons by type, and A §9's badge styles: destructive, default, outline, secondary. */
const looks: Record<NotificationType, { Icon: LucideIcon; tone: Tone; icon: string }> = {
  system_alert: { Icon: Info, tone: 'danger', icon: 'bg-danger-subtle text-danger' },
  usage_milestone: { Icon: Trophy, tone: 'primary', icon: 'bg-primary-subtle text-primary' },
  performance_report: { Icon: ChartNoAxesColumn, tone: 'outline', icon: 'bg-info-subtle text-info' },
  subscription_renewal: { Icon: CalendarClock, tone: 'neutral', icon: 'bg-surface-subtle text-muted' },
};

export const NoticeIcon = ({ type }: { type: NotificationType }) => {
  const { Icon, icon } = looks[type];
  return (
    <span aria-hidden className={`flex size-8 shrink-0 items-center justify-center rounded-full ${icon}`}>
      <Icon className="size-4" />
    </span>
  );
};

/** The type's own name, its first underscore a space (A §2). */
export const TypeBadge = ({ type }: { type: NotificationType }) => (
  <Badge tone={looks[type].tone}>{type.replace('_', ' ')}</Badge>
);
