import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { Part } from '#client/ui/elements.tsx';

type Props = {
  title: ReactNode;
  /** What there is to know while it is folded. */
  line: ReactNode;
  icon?: Part;
  /** A button beside the heading. */
  action?: Part;
  startsOpen: boolean;
  /** Fetches what the children need, once somebody is about to unfold. */
  prepare?: () => unknown;
  onToggle?: (open: boolean) => void;
  children: ReactNode;
};

/** A card that shows one line, and unfolds. Its children are drawn when it first does. */
export const Fold = ({ title, line, icon, action, startsOpen, prepare, onToggle, children }: Props) => {
  const id = useId();
  const [open, setOpen] = useState(startsOpen);
  const [drawn, setDrawn] = useState(startsOpen);
  return (
    <section aria-labelledby={id} className="relative min-w-0 rounded border bg-surface shadow-faint">
      <details
        className="group"
        open={open}
        onToggle={({ currentTarget }) => {
          setOpen(currentTarget.open);
          if (currentTarget.open) setDrawn(true);
          onToggle?.(currentTarget.open);
        }}
      >
        <summary
          // A redraw before the browser tells of the press would undo it.
          onClick={(event) => {
            event.preventDefault();
            setOpen(!open);
            setDrawn(true);
          }}
          onPointerEnter={prepare}
          onFocus={prepare}
          className="flex cursor-pointer list-none items-center gap-3 rounded p-4 hover:bg-surface-subtle active:opacity-80 [&::-webkit-details-marker]:hidden"
        >
          {icon}
          <span className="min-w-0 flex-1">
            <h2 id={id} className="text-sm">
              {title}
            </h2>
            <span className="figures mt-0.5 block text-muted">{line}</span>
          </span>
          {action && <span aria-hidden className="w-16" />}
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180" />
        </summary>
        {drawn && <div className="border-t p-4">{children}</div>}
      </details>
      {action && <div className="absolute top-5 right-11">{action}</div>}
    </section>
  );
};
