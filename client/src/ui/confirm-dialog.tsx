import type { ReactNode } from 'react';
import { FormError } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';

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

export const ConfirmDialog = ({
  open = true,
  onClose,
  title,
  description,
  children,
  pending,
  error,
  ...rest
}: Props) => (
  <Dialog
    open={open}
    onOpenChange={(next) => !next && onClose()}
    locked={pending}
    title={title}
    description={description}
  >
    <FormError>{error}</FormError>
    <div className="text-sm">{children}</div>
    <DialogFooter>
      <Button variant="secondary" disabled={pending} onClick={onClose}>
        {rest.keepLabel}
      </Button>
      <Button
        variant={rest.variant ?? 'danger'}
        pending={pending}
        pendingLabel={rest.pendingLabel}
        onClick={rest.onConfirm}
      >
        {rest.confirmLabel}
      </Button>
    </DialogFooter>
  </Dialog>
);
