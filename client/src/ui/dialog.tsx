import * as Radix from '@radix-ui/react-dialog';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { buttonStyle } from '#client/ui/button-style.ts';
import { keepPlace } from '#client/ui/keep-place.ts';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Work is under way: Escape, the cross and a press outside do nothing. */
  locked?: boolean;
  size?: 'md' | 'lg';
  children: ReactNode;
};

/** Modal: holds the focus, closes on Escape, gives the focus back. Its form and DialogFooter are its children. */
export const Dialog = ({ open, onOpenChange, title, description, locked = false, size = 'md', children }: Props) => {
  const backToOpener = useRef<() => void>(null);
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next || !locked) && onOpenChange(next)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-[rgb(8_12_16/0.5)]" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={() => {
            backToOpener.current = keepPlace(document.activeElement);
          }}
          onCloseAutoFocus={(event) => {
            // Radix gives the focus back to its own trigger only; our dialogs are opened by state.
            event.preventDefault();
            backToOpener.current?.();
          }}
          className={clsx(
            'fixed inset-x-4 top-1/2 z-40 mx-auto max-h-[calc(100dvh-2rem)] -translate-y-1/2 animate-fade-in overflow-y-auto',
            'rounded border bg-surface p-6 shadow-popover focus:outline-none',
            size === 'lg' ? 'max-w-prose' : 'max-w-form',
          )}
        >
          <Radix.Title className="pr-8 text-base font-semibold">{title}</Radix.Title>
          {description && <Radix.Description className="mt-1 text-sm text-muted">{description}</Radix.Description>}
          <div className="mt-4">{children}</div>
          <Radix.Close
            aria-label="Close"
            title="Close"
            disabled={locked}
            className={buttonStyle('ghost', 'icon', 'absolute top-4 right-4 text-muted')}
          >
            <X aria-hidden />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

/** The buttons of a dialog: beside each other on the right, below each other on a phone with the main one on top. */
export const DialogFooter = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={clsx('mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end', className)} />
);
