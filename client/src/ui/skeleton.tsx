import { clsx } from 'clsx';
import type { ReactNode } from 'react';

/** A grey placeholder; give it the height and width of what will replace it. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={clsx('animate-pulse rounded bg-surface-subtle', className)} />
);

type Props = {
  /** Read out by assistive technology. */
  label: string;
  className?: string;
  /** The class names of each skeleton, such as `h-10`. */
  skeletons?: readonly string[];
  children?: ReactNode;
};

export const Loading = ({ label, className, skeletons = [], children }: Props) => (
  <div aria-busy className={className}>
    <output className="sr-only">{label}</output>
    {skeletons.map((each, index) => (
      <Skeleton key={index} className={each} />
    ))}
    {children}
  </div>
);
