import * as Radix from '@radix-ui/react-dialog';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps, buttonStyle } from '#client/ui/button.tsx';
import { DialogLock } from '#client/ui/in-dialog.tsx';
import { useReturnedFocus } from '#client/ui/return-focus.ts';

type Props = {
  open?: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  size?: 'md' | 'lg';
  children: ReactNode;
};

/** A modal dialog: traps focus, closes on Escape, returns focus. Put a form and a DialogFooter inside. */
export const Dialog = ({ open = true, onClose, title, description, size = 'md', children }: Props) => {
  const [locked, setLocked] = useState(false);
  return (
    <Radix.Root open={open} onOpenChange={() => locked || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-[rgb(8_12_16/0.5)]" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          {...useReturnedFocus()}
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
            className={buttonStyle({ variant: 'ghost', size: 'icon', className: 'absolute top-4 right-4 text-muted' })}
          >
            <X aria-hidden />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

type OpenerProps = Omit<Props, 'open' | 'onClose' | 'children'> & {
  /** The label of the button that opens it, and how the button differs from a small secondary one. */
  button: ReactNode;
  look?: ButtonProps;
  children: (close: () => void) => ReactNode;
};

/** A dialog with the button that opens it. */
export const DialogButton = ({ button, look, children, ...dialog }: OpenerProps) => {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="secondary" size="sm" {...look} onClick={() => setOpen(true)}>
        {button}
      </Button>
      <Dialog {...dialog} open={open} onClose={close}>
        {open && children(close)}
      </Dialog>
    </>
  );
};
