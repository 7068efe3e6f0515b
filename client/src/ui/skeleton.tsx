import { clsx } from 'clsx';

/** A grey place in the shape of what comes; give it a height and a width. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={clsx('animate-pulse rounded bg-surface-subtle', className)} />
);

/** Skeletons with one sentence for assistive technology. */
export const Loading = ({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: React.ReactNode;
}) => (
  <div aria-busy className={className}>
    <output className="sr-only">{label}</output>
    {children}
  </div>
);
