import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export const PriceLine = ({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) => (
  <div className={clsx('flex items-baseline justify-between gap-4', className)}>
    <dt className="min-w-0">{label}</dt>
    <dd className="shrink-0 text-right">{children}</dd>
  </div>
);
