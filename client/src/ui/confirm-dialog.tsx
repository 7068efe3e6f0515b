import { type ReactNode, useState } from 'react';
import { FormError } from '#client/ui/alert.tsx';
import { Button, type ButtonProps } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter, useDialogLock } from '#client/ui/in-dialog.tsx';

type Props = {
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

export const ConfirmDialog = ({ open = true, title, description, ...question }: Props) => (
  <Dialog open={open} onClose={question.onClose} title={title} description={description}>
    <Question {...question} />
  </Dialog>
);

const Question = ({ pending, variant = 'danger', ...rest }: Omit<Props, 'open' | 'title' | 'description'>) => {
  useDialogLock(pending);
  return (
    <>
      <FormError>{rest.error}</FormError>
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

type AskerProps = Omit<Props, 'open' | 'onClose' | 'pending' | 'error' | 'onConfirm'> & {
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
