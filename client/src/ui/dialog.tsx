import * as Radix from '@radix-ui/react-dialog';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { buttonStyle } from '#client/ui/button-style.ts';
import { DialogLock } from '#client/ui/dialog-lock.ts';
import { rememberFocus } from '#client/ui/return-focus.ts';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  size?: 'md' | 'lg';
  children: ReactNode;
};

/** A modal dialog: traps focus, closes on Escape, returns focus. Put a form and a DialogFooter inside. */
export const Dialog = ({ open, onOpenChange, title, description, size = 'md', children }: Props) => {
  const returnFocus = useRef<() => void>(null);
  const [locked, setLocked] = useState(false);
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next || !locked) && onOpenChange(next)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-[rgb(8_12_16/0.5)]" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={() => {
            returnFocus.current = rememberFocus(document.activeElement);
          }}
          onCloseAutoFocus={(event) => {
            // Radix returns focus only to its own trigger; ours are opened by state.
            event.preventDefault();
            returnFocus.current?.();
          }}
          className={clsx(
            'fixed inset-x-4 top-1/2 z-40 mx-auto max-h-[calc(100dvh-2rem)] -translate-y-1/2 animate-fade-in overflow-y-auto',
            'rounded border bg-surface p-6 shadow-popover focus:outline-none',
            size === 'lg' ? 'max-w-prose' : 'max-w-form',
          )}
        >
          <Radix.Title className="pr-8 text-base font-semibold">{title}</Radix.Title>
          {description && <Radix.Description className="mt-1 text-sm text-muted">{description}</Radix.Description>}
          <DialogLock value={setLocked}>
            <div className="mt-4">{children}</div>
          </DialogLock>
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

type FooterProps = ComponentProps<'div'> & {
  /** Stays in sight while a long dialog scrolls. */
  sticky?: boolean;
};

/** Buttons side by side on the right; on a phone stacked, with the main one on top. */
export const DialogFooter = ({ className, sticky = false, ...rest }: FooterProps) => (
  <div
    {...rest}
    className={clsx(
      'mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end',
      sticky && 'sticky -bottom-6 -mx-6 -mb-6 border-t bg-surface px-6 py-4',
      className,
    )}
  />
);
