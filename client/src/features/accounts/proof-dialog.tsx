import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/members.ts';
import { CodeField } from '#client/features/accounts/person-fields.tsx';
import { UsePasskey } from '#client/features/accounts/use-passkey.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Form, FormFooter, PasswordField } from '#client/ui/form.tsx';

type Ask = { user: User; onAnswer: (proved: boolean) => void };

const { prove, list } = contract.factors;
const silent = { silent: true };

const ByPassword = ({ user, onAnswer }: Ask) => {
  const form = useApiForm({
    schema: prove.body.pick({ password: true }).required(),
    defaultValues: { password: '' },
    send: (body) => api.factors.prove({ body }, silent),
    onDone: () => onAnswer(true),
    failure: null,
  });
  return (
    <Form form={form} label="Confirm it's you">
      <input type="text" autoComplete="username" hidden readOnly value={user.email} />
      <PasswordField form={form} name="password" label="Your password" autoComplete="current-password" />
      <FormFooter form={form} onCancel={() => onAnswer(false)} pendingLabel="Checking…">
        Confirm
      </FormFooter>
    </Form>
  );
};

const ByFactor = ({ onAnswer }: Ask) => {
  const { data } = useApiQuery(list);
  const has = (kind: string) => data?.factors.some((factor) => factor.kind === kind) ?? false;
  const form = useApiForm({
    schema: prove.body.pick({ code: true }).required(),
    defaultValues: { code: '' },
    send: (body) => api.factors.prove({ body }, silent),
    onDone: () => onAnswer(true),
    failure: null,
  });
  return (
    <div className="space-y-4">
      {has('passkey') && (
        <UsePasskey
          run={async ({ showPasskey }) => {
            await api.factors.prove({ body: { passkey: await showPasskey() } }, silent);
            onAnswer(true);
          }}
        />
      )}
      <Form form={form} label="Confirm it's you">
        <CodeField app={!data || has('app')} error={form.errorOf('code')} {...form.register('code')} />
        <FormFooter form={form} onCancel={() => onAnswer(false)} pendingLabel="Checking…">
          Confirm
        </FormFooter>
      </Form>
    </div>
  );
};

/** Asks in place for proof of who is here. What was typed behind it stays, and the call that needed proof is sent again. */
export default function ProofDialog({ user, open, onAnswer }: Ask & { open: boolean }) {
  const By = user.hasSecondFactor ? ByFactor : ByPassword;
  return (
    <Dialog
      open={open}
      onClose={() => onAnswer(false)}
      title="Please confirm it's you"
      description="We check before sensitive changes. You won't be asked again for ten minutes."
    >
      <By user={user} onAnswer={onAnswer} />
    </Dialog>
  );
}
