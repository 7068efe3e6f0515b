import type { ReactNode } from 'react';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';

type Props = {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What will happen. */
  children: ReactNode;
  keepLabel: string;
  confirmLabel: string;
  pendingLabel: string;
  pending: boolean;
  error?: string | undefined;
  onConfirm: () => void;
};

/** An act of a team that can't be taken back lightly: what it does, and one press. */
export const ConfirmDialog = (props: Props) => {
  const { open, onClose, title, children, keepLabel, confirmLabel, pendingLabel, pending, error, onConfirm } = props;
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} locked={pending} title={title}>
      {error && (
        <Alert tone="danger" announce className="mb-4">
          {error}
        </Alert>
      )}
      <div className="text-sm">{children}</div>
      <DialogFooter>
        <Button variant="secondary" disabled={pending} onClick={onClose}>
          {keepLabel}
        </Button>
        <Button variant="danger" pending={pending} pendingLabel={pendingLabel} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </DialogFooter>
    </Dialog>
  );
};
