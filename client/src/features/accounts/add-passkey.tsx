import { contract } from '#shared/api/members.ts';
import { addPasskey } from '#client/features/accounts/passkeys.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter } from '#client/ui/in-dialog.tsx';
import { Form, TextField } from '#client/ui/form.tsx';

type Props = { open: boolean; onClose: () => void; onAdded: (recoveryCodes: string[]) => void };

const AddForm = ({ onAdded }: Pick<Props, 'onAdded'>) => {
  const form = useApiForm({
    schema: contract.factors.addPasskey.body.pick({ name: true }),
    defaultValues: { name: 'Passkey' },
    send: ({ name }) => addPasskey(name),
    onDone: ({ recoveryCodes }) => onAdded(recoveryCodes),
    failure: null,
  });
  return (
    <Form form={form} label="Add a passkey">
      <TextField form={form} name="name" label="Name" help="For example, the device or key it's stored on" />
      <DialogFooter className="mt-3!">
        <Button type="submit" pending={form.pending} pendingLabel="Waiting for your browser…">
          Create passkey
        </Button>
      </DialogFooter>
    </Form>
  );
};

export default function AddPasskeyDialog({ open, onClose, onAdded }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add a passkey"
      description="Your browser, phone or security key keeps it behind your fingerprint, face or PIN. It also signs you in without your password."
    >
      <AddForm onAdded={onAdded} />
    </Dialog>
  );
}
