import { copyText } from '#client/lib/forms/copy.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter } from '#client/ui/in-dialog.tsx';
import { Field, Input } from '#client/ui/form.tsx';

export type ShownSecret = { label: string; value: string };

const copy = async ({ label, value }: ShownSecret) => {
  if (await copyText(value, 'Please select the text and copy it yourself.'))
    toast({ title: 'Copied', description: `${label} is on the clipboard.` });
};

const one = {
  title: 'Save this secret',
  description: 'It is for the tool’s server, and never for a browser. This is the only time it is shown.',
};
const several = {
  title: 'Save these settings',
  description: 'They are for your tool’s server, and never for a browser. This is the only time the secrets are shown.',
};

/** What the tool's server needs. Secrets are shown once, right after they were made. */
export const ShownSecrets = ({ secrets, onClose }: { secrets: readonly ShownSecret[]; onClose: () => void }) => (
  <Dialog open={secrets.length > 0} onClose={onClose} {...(secrets.length === 1 ? one : several)}>
    <div className="space-y-1">
      {secrets.map((secret) => (
        <Field
          key={secret.label}
          label={secret.label}
          aside={
            <Button variant="link" aria-label={`Copy ${secret.label}`} onClick={() => void copy(secret)}>
              Copy
            </Button>
          }
        >
          <Input readOnly value={secret.value} className="font-mono" onFocus={(event) => event.target.select()} />
        </Field>
      ))}
    </div>
    <DialogFooter>
      <Button onClick={onClose}>{secrets.length === 1 ? 'I have saved it' : 'I have saved them'}</Button>
    </DialogFooter>
  </Dialog>
);
