import { contract } from '#shared/api/members.ts';
import { addPasskey } from '#client/features/accounts/passkeys.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { Input } from '#client/ui/input.tsx';

type Props = { open: boolean; onOpenChange: (open: boolean) => void; onAdded: (recoveryCodes: string[]) => void };

const AddForm = ({ onAdded }: Pick<Props, 'onAdded'>) => {
  const form = useApiForm({
    schema: contract.factors.addPasskey.body.pick({ name: true }),
    defaultValues: { name: 'Passkey' },
    send: ({ name }) => addPasskey(name),
    onDone: ({ recoveryCodes }) => onAdded(recoveryCodes),
  });
  return (
    <Form form={form} label="Add a passkey">
      <Field label="Name" error={form.errorOf('name')} help="For example, the device or key it's stored on">
        <Input {...form.register('name')} />
      </Field>
      <DialogFooter className="mt-3!">
        <Button type="submit" pending={form.pending} pendingLabel="Waiting for your browser…">
          Create passkey
        </Button>
      </DialogFooter>
    </Form>
  );
};

export default function AddPasskeyDialog({ open, onOpenChange, onAdded }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add a passkey"
      description="Your browser, phone or security key keeps it behind your fingerprint, face or PIN. It also signs you in without your password."
    >
      <AddForm onAdded={onAdded} />
    </Dialog>
  );
}
