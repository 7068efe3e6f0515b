import { clsx } from 'clsx';
import type { ReactNode } from 'react';

type Props = {
  id: string;
  title: string;
  lead?: ReactNode;
  raised?: boolean;
  children: ReactNode;
};

export const Section = ({ id, title, lead, raised, children }: Props) => (
  <section aria-labelledby={id} className={clsx('py-10 sm:py-16', raised && 'border-y bg-surface')}>
    <div className="mx-auto max-w-content px-4 sm:px-6">
      <h2 id={id} className="scroll-mt-8 text-xl sm:text-2xl">
        {title}
      </h2>
      {lead && <p className="mt-3 max-w-[40rem] text-pretty text-muted">{lead}</p>}
      {children}
    </div>
  </section>
);
