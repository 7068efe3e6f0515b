import { encode } from 'uqr';
import { contract } from '#shared/api/members.ts';
import { CodeField } from '#client/features/accounts/person-fields.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { useWriteOnMount } from '#client/lib/calls/write.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter } from '#client/ui/in-dialog.tsx';
import { Form, TextField } from '#client/ui/form.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

type Props = { open: boolean; onClose: () => void; onAdded: (recoveryCodes: string[]) => void };

/** Dark on light in both themes: many apps read nothing else. */
const QrCode = ({ text }: { text: string }) => {
  const { data, size } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto block size-48 rounded bg-[white] fill-[black]"
    >
      <path d={path} />
    </svg>
  );
};

const AddForm = ({ secret, uri, onAdded }: { secret: string; uri: string } & Pick<Props, 'onAdded'>) => {
  const form = useApiForm({
    schema: contract.factors.addApp.body,
    defaultValues: { name: 'Authenticator app', code: '' },
    send: (body) => api.factors.addApp({ body }),
    onDone: ({ recoveryCodes }) => onAdded(recoveryCodes),
    failure: null,
  });
  return (
    <Form form={form} label="Add an authenticator app" className="space-y-2">
      <QrCode text={uri} />
      <p className="pb-2 text-center text-xs text-muted">
        Can&apos;t scan it? Type this key: <span className="font-mono break-all text-text">{secret}</span>
      </p>
      <TextField form={form} name="name" label="Name" help="So you recognise it later" />
      <CodeField app help="The six digits it's showing now" error={form.errorOf('code')} {...form.register('code')} />
      <DialogFooter className="mt-3!">
        <Button type="submit" pending={form.pending} pendingLabel="Checking…">
          Add the app
        </Button>
      </DialogFooter>
    </Form>
  );
};

const Begin = ({ onAdded }: Pick<Props, 'onAdded'>) => (
  <QueryView
    query={useWriteOnMount(contract.factors.beginApp, {}, { silent: true })}
    failedTitle="The key could not be made"
    loading={<Loading label="Making a key" skeletons={['h-48']} />}
  >
    {(begun) => <AddForm {...begun} onAdded={onAdded} />}
  </QueryView>
);

export default function AddAppDialog({ open, onClose, onAdded }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add an authenticator app"
      description="Scan the code with your app (such as 1Password, Google Authenticator or Microsoft Authenticator), then type the six digits it shows."
    >
      <Begin onAdded={onAdded} />
    </Dialog>
  );
}
