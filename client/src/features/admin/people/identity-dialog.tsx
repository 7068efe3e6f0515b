import { useState } from 'react';
import * as z from 'zod';
import { reason } from '#shared/api/acts.ts';
import type { AdminUser } from '#shared/api/admin-person.ts';
import { contract } from '#shared/api/index.ts';
import { Preview } from '#client/features/admin/preview.tsx';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { fullName } from '#client/lib/session/people.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { write } from '#client/lib/calls/write.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { Input } from '#client/ui/input.tsx';
import { RadioGroup } from '#client/ui/radio-group.tsx';

type Action = 'email' | 'administrator';
const schema = z.object({ email: z.string(), reason });

const consequences: Record<Action, readonly string[]> = {
  email: [
    'The account uses the new address, unverified until the link is opened that is mailed there. A price that goes by the address waits for that.',
    'Every session ends. Both addresses are told, with your reason.',
    'It can be undone for 24 hours; meanwhile nobody else can take the old address.',
  ],
  administrator: [
    'The user can do all that you can. Every session of theirs ends.',
    'All administrators are told, with your reason. Their approval counts after a day.',
    'It can be undone for 24 hours.',
  ],
};

/** Changes who somebody is here: a new email address, or administrator's rights. */
export const IdentityDialog = ({ user, onClose }: { user: AdminUser; onClose: () => void }) => {
  const [action, setAction] = useState<Action>('email');
  const { data } = useApiQuery(contract.approvals.list);
  const form = useApiForm({
    schema,
    defaultValues: { email: '', reason: '' },
    send: (values) => {
      const params = { id: user.id };
      return action === 'email'
        ? write(contract.acts.changeEmail, { params, body: values })
        : write(contract.acts.makeAdministrator, { params, body: { reason: values.reason } });
    },
    onDone: ({ message }) => {
      onClose();
      toast({ title: message, description: `${fullName(user)} (${user.email})` });
    },
    failure: somethingWentWrong,
  });
  const choices = [
    { value: 'email' as const, label: 'Change the email address' },
    ...(user.isAdmin ? [] : [{ value: 'administrator' as const, label: 'Make an administrator' }]),
  ];
  const waits = data?.fourEyes ? ['It waits until a second administrator approves it.'] : [];
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title="Address and rights"
      description={`${fullName(user)} · ${user.email}`}
    >
      <Form form={form} label="Address and rights" className="space-y-4" autoComplete="off">
        {choices.length > 1 && (
          <RadioGroup legend="What to do" framed options={choices} value={action} onChange={setAction} />
        )}
        {action === 'email' && (
          <Field label="New email address" error={form.errorOf('email')}>
            <Input type="email" {...form.register('email')} />
          </Field>
        )}
        <Preview sentences={[...waits, ...consequences[action]]} />
        <Field label="Reason" help="The user reads it in our email." error={form.errorOf('reason')}>
          <Input {...form.register('reason')} />
        </Field>
        <FormFooter form={form} onCancel={onClose} variant="danger" pendingLabel="Sending…">
          {action === 'email' ? 'Change the address' : 'Make an administrator'}
        </FormFooter>
      </Form>
    </Dialog>
  );
};
