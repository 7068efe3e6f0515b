import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'primary' | 'success' | 'warning' | 'danger' | 'info' | 'outline';

const tones: Record<Tone, string> = {
  neutral: 'bg-surface-subtle text-text',
  primary: 'bg-primary-subtle text-primary',
  success: 'bg-success-subtle text-success',
  warning: 'bg-warning-subtle text-warning',
  danger: 'bg-danger-subtle text-danger',
  info: 'bg-info-subtle text-info',
  outline: 'border text-text',
};

type Props = { tone?: Tone; icon?: ReactNode; className?: string; children: ReactNode };

export const Badge = ({ tone = 'neutral', icon, className, children }: Props) => (
  <span
    className={clsx(
      'inline-flex h-5 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap [&_svg]:size-3',
      tones[tone],
      className,
    )}
  >
    {icon}
    {children}
  </span>
);
