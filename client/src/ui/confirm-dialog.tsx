import type { ReactNode } from 'react';
import { FormError } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';
import { useDialogLock } from '#client/ui/dialog-lock.ts';

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
  <Dialog open={open} onOpenChange={(next) => !next && question.onClose()} title={title} description={description}>
    <Question {...question} />
  </Dialog>
);

const Question = ({
  onClose,
  children,
  pending,
  error,
  variant = 'danger',
  ...rest
}: Omit<Props, 'open' | 'title' | 'description'>) => {
  useDialogLock(pending);
  return (
    <>
      <FormError>{error}</FormError>
      <div className="text-sm">{children}</div>
      <DialogFooter>
        <Button variant="secondary" disabled={pending} onClick={onClose}>
          {rest.keepLabel}
        </Button>
        <Button variant={variant} pending={pending} pendingLabel={rest.pendingLabel} onClick={rest.onConfirm}>
          {rest.confirmLabel}
        </Button>
      </DialogFooter>
    </>
  );
};
