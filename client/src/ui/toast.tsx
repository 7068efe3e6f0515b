import * as Radix from '@radix-ui/react-toast';
import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { escapes } from '#client/ui/in-dialog.tsx';

const icons = {
  default: [CircleCheck, 'text-success'],
  info: [Info, 'text-info'],
  destructive: [CircleAlert, 'text-danger'],
} as const;

type Props = {
  title: ReactNode;
  description?: ReactNode;
  variant?: keyof typeof icons;
  /** Milliseconds on the screen. */
  duration?: number;
  open: boolean;
};

type ToastsProps = { toasts: readonly (Props & { id: number })[]; onClose: (id: number) => void };

/** F8 moves the focus to the toasts; a swipe of 50 pixels to the right dismisses one. */
export const Toasts = ({ toasts, onClose }: ToastsProps) => (
  <Radix.Provider duration={5000} swipeDirection="right" swipeThreshold={50}>
    {toasts.map(({ id, ...toast }) => (
      <Toast key={id} {...toast} onClose={() => onClose(id)} />
    ))}
    <Radix.Viewport
      hotkey={['F8']}
      // Clear of the header on a phone, of the footer and the help button elsewhere.
      className="screen-only fixed top-14 right-0 z-50 m-0 flex w-full flex-col gap-2 p-2 sm:top-auto sm:bottom-18 sm:max-w-[26rem] sm:p-4"
    />
  </Radix.Provider>
);

const Toast = ({
  title,
  description,
  variant = 'default',
  duration,
  open,
  onClose,
}: Props & { onClose: () => void }) => {
  const bad = variant === 'destructive';
  const [Icon, colour] = icons[variant];
  return (
    <Radix.Root
      type={bad ? 'foreground' : 'background'}
      open={open}
      onOpenChange={(next) => !next && onClose()}
      onEscapeKeyDown={(event) => {
        // The dialog that somebody works in closes first.
        if (!document.activeElement?.closest('[role=dialog]')) return;
        escapes.add(event);
        event.preventDefault();
      }}
      {...(duration === undefined ? {} : { duration })}
      className={clsx(
        'relative flex items-start gap-3 rounded border bg-surface p-4 pr-11 shadow-popover',
        'data-[state=open]:animate-slide-in data-[swipe=end]:animate-swipe-out data-[swipe=cancel]:translate-x-0',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
        bad && 'border-danger',
      )}
    >
      <Icon aria-hidden className={clsx('mt-0.5 size-4 shrink-0', colour)} />
      <div className="min-w-0 text-sm">
        <Radix.Title className="font-medium">{title}</Radix.Title>
        {description && (
          <Radix.Description className="mt-0.5 break-words whitespace-pre-line text-muted">
            {description}
          </Radix.Description>
        )}
      </div>
      <Radix.Close
        aria-label="Dismiss"
        title="Dismiss"
        className="absolute top-2.5 right-2.5 flex size-7 max-sm:top-1 max-sm:right-1 max-sm:size-11 items-center justify-center rounded text-muted hover:text-text"
      >
        <X aria-hidden className="size-4" />
      </Radix.Close>
    </Radix.Root>
  );
};
