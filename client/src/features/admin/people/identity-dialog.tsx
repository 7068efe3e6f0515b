import { useState } from 'react';
import * as z from 'zod';
import { reason } from '#shared/api/acts.ts';
import type { AdminUser } from '#shared/api/admin-person.ts';
import { contract } from '#shared/api/index.ts';
import { ActForm, closeAndTell, Preview } from '#client/features/admin/act-form.tsx';
import { useApiForm } from '#client/lib/forms/form.ts';
import { fullName } from '#client/lib/session/people.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { write } from '#client/lib/calls/write.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { TextField } from '#client/ui/form.tsx';
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
    onDone: closeAndTell(onClose, { about: `${fullName(user)} (${user.email})` }),
  });
  const choices = [
    { value: 'email' as const, label: 'Change the email address' },
    ...(user.isAdmin ? [] : [{ value: 'administrator' as const, label: 'Make an administrator' }]),
  ];
  const waits = data?.fourEyes ? ['It waits until a second administrator approves it.'] : [];
  return (
    <Dialog onClose={onClose} title="Address and rights" description={`${fullName(user)} · ${user.email}`}>
      <ActForm
        form={form}
        label="Address and rights"
        help="The user reads it in our email."
        variant="danger"
        pendingLabel="Sending…"
        button={action === 'email' ? 'Change the address' : 'Make an administrator'}
        onClose={onClose}
      >
        {choices.length > 1 && (
          <RadioGroup legend="What to do" framed options={choices} value={action} onChange={setAction} />
        )}
        {action === 'email' && <TextField form={form} name="email" label="New email address" type="email" />}
        <Preview sentences={[...waits, ...consequences[action]]} />
      </ActForm>
    </Dialog>
  );
};
