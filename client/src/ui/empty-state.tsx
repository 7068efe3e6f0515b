import type { ReactNode } from 'react';

type Props = { icon?: ReactNode; title: ReactNode; description?: ReactNode; action?: ReactNode };

export const EmptyState = ({ icon, title, description, action }: Props) => (
  <div className="flex flex-col items-center px-4 py-10 text-center">
    {icon && (
      <div
        aria-hidden
        className="mb-3 flex size-10 items-center justify-center rounded-full bg-surface-subtle text-muted [&_svg]:size-5"
      >
        {icon}
      </div>
    )}
    <p className="font-medium">{title}</p>
    {description && <p className="mt-1 max-w-prose text-muted">{description}</p>}
    {action && <div className="mt-4">{action}</div>}
  </div>
);
