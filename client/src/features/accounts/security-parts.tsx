import { type ReactNode, useId } from 'react';
import { buttonStyle, Card, type Parts } from '#client/ui/elements.tsx';

/** Settings that belong together, in one card. */
export const Group = ({ title, children }: { title: string; children: Parts }) => {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 text-base">
        {title}
      </h2>
      <Card className="divide-y">{children}</Card>
    </section>
  );
};

type Props = {
  title: string;
  description?: string;
  badge?: ReactNode;
  /** At the right: a button, or a form that unfolds below. */
  action?: ReactNode;
  children?: ReactNode;
};

/** One setting of a group. */
export const Setting = ({ title, description, badge, action, children }: Props) => {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-wrap items-center gap-x-4 gap-y-3 p-5">
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-center gap-2">
          <h3 id={id} className="text-sm font-semibold">
            {title}
          </h3>
          {badge}
        </div>
        {description && <p className="mt-0.5 [overflow-wrap:anywhere] text-muted">{description}</p>}
      </div>
      {action}
      {children && <div className="min-w-0 basis-full empty:hidden">{children}</div>}
    </section>
  );
};

/** A form that its button unfolds, below the setting. */
export const Unfold = ({ button, children }: { button: string; children: ReactNode }) => (
  <details className="open:basis-full">
    <summary className={buttonStyle({ variant: 'secondary', size: 'sm', className: 'w-fit cursor-pointer list-none' })}>
      {button}
    </summary>
    {children}
  </details>
);
