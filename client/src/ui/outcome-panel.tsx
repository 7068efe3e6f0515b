import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Card } from '#client/ui/card.tsx';

const tones = {
  primary: 'bg-primary-subtle text-primary',
  success: 'bg-success-subtle text-success',
  danger: 'bg-danger-subtle text-danger',
} as const;

type Props = { tone: keyof typeof tones; icon: ReactNode; title: string; action: ReactNode; children: ReactNode };

/** One outcome of a page opened from a mailed link; read out when it replaces another. */
export const OutcomePanel = ({ tone, icon, title, action, children }: Props) => (
  <Card className="mx-auto mt-4 flex max-w-form flex-col items-center p-6 text-center text-sm sm:mt-8 sm:p-10">
    <span
      aria-hidden
      className={clsx('mb-4 flex size-12 items-center justify-center rounded-full [&_svg]:size-6', tones[tone])}
    >
      {icon}
    </span>
    <div role="status" className="w-full">
      <h1 className="text-lg">{title}</h1>
      <div className="mt-2 text-muted">{children}</div>
    </div>
    <div className="mt-6">{action}</div>
  </Card>
);
