import * as Radix from '@radix-ui/react-dialog';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps, buttonStyle, FormError } from '#client/ui/elements.tsx';
import { DialogFooter, DialogLock, escapes, useDialogLock } from '#client/ui/in-dialog.tsx';
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
          // The connection's bar lies over it.
          onInteractOutside={(event) =>
            (event.target as Element).closest('[data-over-dialogs]') && event.preventDefault()
          }
          onKeyDown={({ nativeEvent }) => escapes.delete(nativeEvent) && !locked && onClose()}
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

type ConfirmProps = {
  open?: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  /** The consequences. */
  children: ReactNode;
  keepLabel: string;
  confirmLabel: string;
  pendingLabel: string;
  pending: boolean;
  error?: string | null;
  variant?: 'danger' | 'primary';
  onConfirm: () => void;
};

export const ConfirmDialog = ({ open = true, title, description, ...question }: ConfirmProps) => (
  <Dialog open={open} onClose={question.onClose} title={title} description={description}>
    <Question {...question} />
  </Dialog>
);

const Question = ({ pending, variant = 'danger', ...rest }: Omit<ConfirmProps, 'open' | 'title' | 'description'>) => {
  useDialogLock(pending);
  return (
    <>
      <FormError className="mb-4">{rest.error}</FormError>
      <div className="text-sm">{rest.children}</div>
      <DialogFooter>
        <Button variant="secondary" disabled={pending} onClick={rest.onClose}>
          {rest.keepLabel}
        </Button>
        <Button variant={variant} pending={pending} pendingLabel={rest.pendingLabel} onClick={rest.onConfirm}>
          {rest.confirmLabel}
        </Button>
      </DialogFooter>
    </>
  );
};

type AskerProps = Omit<ConfirmProps, 'open' | 'onClose' | 'pending' | 'error' | 'onConfirm'> & {
  /** The label of the button that asks, and how the button differs from a small secondary one. */
  button: ReactNode;
  look?: ButtonProps;
  /** What is done on confirmation, from `useApiMutation`. */
  mutation: { isPending: boolean; fault: string | null; reset: () => void };
  onConfirm: (close: () => void) => void;
};

/** A button that does something only once somebody has confirmed it. */
export const ConfirmButton = ({ button, look, mutation, onConfirm, ...question }: AskerProps) => {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const ask = () => {
    mutation.reset();
    setOpen(true);
  };
  return (
    <>
      <Button variant="secondary" size="sm" {...look} onClick={ask}>
        {button}
      </Button>
      <ConfirmDialog
        {...question}
        open={open}
        onClose={close}
        pending={mutation.isPending}
        error={mutation.fault}
        onConfirm={() => onConfirm(close)}
      />
    </>
  );
};
