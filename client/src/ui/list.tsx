import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { Part, Parts } from '#client/ui/elements.tsx';

type RowProps = {
  icon?: Part;
  title: ReactNode;
  /** At the right, below the text where there is no room: buttons. */
  action?: Part;
  /** The width that the text needs beside its action. */
  basis?: 'basis-40' | 'basis-52' | 'basis-60' | 'basis-72';
  className?: string;
  /** Below the title. */
  children?: Parts;
};

/** A row of a list: what it is, and what can be done about it. */
export const Row = ({ icon, title, action, basis = 'basis-52', className, children }: RowProps) => (
  <li className={clsx('flex flex-wrap gap-x-4 gap-y-2 py-3', className ?? 'items-center')}>
    {icon}
    <div className={clsx('min-w-0 flex-1 [overflow-wrap:anywhere]', basis)}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">{title}</div>
      {children}
    </div>
    {action}
  </li>
);

type ScrollProps = { label: string; className?: string; children: ReactNode };

/** A long list. It is focusable, so that the keyboard can scroll it. */
export const ScrollList = ({ label, className = 'sm:max-h-[400px]', children }: ScrollProps) => (
  <section aria-label={label} tabIndex={0} className={clsx('rounded-sm sm:overflow-y-auto', className)}>
    <ul className="divide-y">{children}</ul>
  </section>
);
