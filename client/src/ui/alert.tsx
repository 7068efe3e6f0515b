import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const tones = {
  info: ['border-info/30 bg-info-subtle', 'text-info', Info],
  success: ['border-success/30 bg-success-subtle', 'text-success', CircleCheck],
  warning: ['border-warning/30 bg-warning-subtle', 'text-warning', TriangleAlert],
  danger: ['border-danger/30 bg-danger-subtle', 'text-danger', CircleAlert],
} as const;

type Props = {
  tone?: keyof typeof tones;
  title?: ReactNode;
  action?: ReactNode;
  /** For what appears after an action and must be read out, such as a form's error. */
  announce?: boolean;
  className?: string;
  children?: ReactNode;
};

/** A message that stays: a form's error, a banner. */
export const Alert = ({ tone = 'info', title, action, announce = false, className, children }: Props) => {
  const [box, colour, Icon] = tones[tone];
  return (
    <div
      role={announce ? 'alert' : undefined}
      className={clsx('flex flex-wrap items-start gap-x-3 gap-y-2 rounded border p-3 text-sm', box, className)}
    >
      <Icon aria-hidden className={clsx('mt-0.5 size-4 shrink-0', colour)} />
      <div className="min-w-0 flex-1 basis-48">
        {title && <p className="font-medium">{title}</p>}
        {children}
      </div>
      {action}
    </div>
  );
};

type ErrorProps = Pick<Props, 'title' | 'action'> & { children: string | null | undefined };

/** What is wrong with a form as a whole; draws nothing if there is no sentence. */
export const FormError = ({ children, ...rest }: ErrorProps) =>
  children && (
    <Alert {...rest} tone="danger" announce className="mb-4">
      {children}
    </Alert>
  );
