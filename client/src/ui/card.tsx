import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';

export const Card = ({ className, ...rest }: ComponentProps<'section'>) => (
  <section {...rest} className={clsx('rounded border bg-surface shadow-faint print:shadow-none', className)} />
);

type HeaderProps = {
  title: ReactNode;
  description?: ReactNode;
  /** At the right: a button, a badge. */
  action?: ReactNode;
  icon?: ReactNode;
  /** The heading's level on this page. */
  as?: 'h2' | 'h3';
  id?: string;
};

export const CardHeader = ({ title, description, action, icon, as: Heading = 'h2', id }: HeaderProps) => (
  <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 pt-5">
    <div className="flex min-w-0 items-start gap-3">
      {icon}
      <div className="min-w-0">
        <Heading id={id} className="text-base break-words">
          {title}
        </Heading>
        {description && <p className="mt-0.5 text-sm text-muted">{description}</p>}
      </div>
    </div>
    {action}
  </div>
);

export const CardBody = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={clsx('p-5', className)} />
);

type PanelProps = Omit<HeaderProps, 'id'> & { className?: string; bodyClassName?: string; children: ReactNode };

/** A card with a heading, which names it for assistive technology. */
export const Panel = ({ className, bodyClassName, children, ...header }: PanelProps) => {
  const id = useId();
  return (
    <Card aria-labelledby={id} className={className}>
      <CardHeader {...header} id={id} />
      <CardBody className={bodyClassName}>{children}</CardBody>
    </Card>
  );
};
