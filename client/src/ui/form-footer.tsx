import type { ComponentProps } from 'react';
import { Button } from '#client/ui/button.tsx';
import { DialogFooter } from '#client/ui/dialog.tsx';

type Props = Omit<ComponentProps<typeof Button>, 'type' | 'pending' | 'form'> & {
  form: { pending: boolean; settle?: () => void };
  pendingLabel: string;
  /** Without it, the form is part of a page. */
  onCancel?: (() => void) | undefined;
  cancelLabel?: string;
};

/** The end of a form, mostly in a dialog: Cancel, disabled while the form is being sent, which keeps no draft, and the button that sends it. */
export const FormFooter = ({ form, onCancel, cancelLabel = 'Cancel', ...submit }: Props) => (
  <DialogFooter>
    {onCancel && (
      <Button
        variant="secondary"
        disabled={form.pending}
        onClick={() => {
          form.settle?.();
          onCancel();
        }}
      >
        {cancelLabel}
      </Button>
    )}
    <Button {...submit} type="submit" pending={form.pending} />
  </DialogFooter>
);
