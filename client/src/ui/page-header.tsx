import type { ReactNode } from 'react';

type Props = { title: ReactNode; description?: ReactNode; badges?: ReactNode; action?: ReactNode };

/** The page's one h1. */
export const PageHeader = ({ title, description, badges, action }: Props) => (
  <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="text-xl">{title}</h1>
        {badges}
      </div>
      {description && <p className="mt-1 text-muted">{description}</p>}
    </div>
    {action}
  </header>
);

/** For a page of one column, such as one of forms. */
export const narrow = 'mx-auto max-w-[56rem]';
