import { useState } from 'react';
import type { AdminUser } from '#shared/api/admin-person.ts';
import { contract } from '#shared/api/index.ts';
import { somethingWentWrong } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { formatDay } from '#client/lib/format.ts';
import { fullName } from '#client/lib/people.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { toast } from '#client/lib/toast.ts';
import { write } from '#client/lib/write.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { Input } from '#client/ui/input.tsx';
import { RadioGroup } from '#client/ui/radio-group.tsx';

const actions = {
  endSessions: {
    call: contract.admin.endSessions,
    label: 'Sign out everywhere',
    help: 'Ends every session. The user can sign in again at once.',
    pending: 'Signing out…',
  },
  demandPassword: {
    call: contract.admin.demandPassword,
    label: 'Demand a new password',
    help: 'Ends every session. The next sign-in with the password leads to choosing a new one.',
    pending: 'Demanding…',
  },
  suspend: {
    call: contract.admin.suspend,
    label: 'Suspend',
    help: 'Ends every session and launch, revokes API keys, and refuses every sign-in until somebody reinstates the user. Teams they own go on for their members.',
    pending: 'Suspending…',
  },
  reinstate: {
    call: contract.admin.reinstate,
    label: 'Reinstate',
    help: 'The user can sign in again, and what they pay for goes on with the next renewal.',
    pending: 'Reinstating…',
  },
} as const;
type Action = keyof typeof actions;

/** What a maker has published is closed with them. */
const TheirTools = ({ userId }: { userId: string }) => {
  const { data: tools = [] } = useApiQuery(contract.publications.offered);
  const theirs = tools.filter(({ ownerId, closedAt }) => ownerId === userId && closedAt === null);
  return theirs.length === 0 ? null : (
    <Alert tone="warning" title={`Closes ${theirs.map(({ name }) => name).join(', ')} to new subscribers`}>
      Those who have it go on: its server’s secrets and events keep working. You can open it again in the overview.
    </Alert>
  );
};

/** Signs a user out, demands a new password, suspends or reinstates them; each with a reason, which they read. */
export const AccountDialog = ({ user, onClose }: { user: AdminUser; onClose: () => void }) => {
  const offered: Action[] = user.suspendedAt ? ['reinstate'] : ['endSessions', 'demandPassword', 'suspend'];
  const [action, setAction] = useState<Action>(offered[0]!);
  const form = useApiForm({
    schema: contract.admin.suspend.body,
    defaultValues: { userId: user.id, reason: '', keepCharging: false },
    send: ({ userId, reason, keepCharging }) =>
      write(actions[action].call, { body: { userId, reason, ...(action === 'suspend' && { keepCharging }) } }),
    onDone: ({ message }) => {
      onClose();
      toast({ title: message, description: `${fullName(user)} (${user.email})` });
    },
    failure: somethingWentWrong,
  });
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title="Manage account"
      description={`${fullName(user)} · ${user.email}`}
    >
      {user.suspendedAt && (
        <Alert className="mb-4" title={`Suspended since ${formatDay(user.suspendedAt)}`}>
          {user.suspendedFor} {user.chargesPaused ? 'Nothing is charged meanwhile.' : 'Charges go on.'}
        </Alert>
      )}
      <Form form={form} label="Manage account" className="space-y-4" autoComplete="off">
        {offered.length > 1 && (
          <RadioGroup
            legend="What to do"
            framed
            options={offered.map((value) => ({ value, label: actions[value].label, help: actions[value].help }))}
            value={action}
            onChange={setAction}
          />
        )}
        <Field label="Reason" help="The user reads it in our email." error={form.errorOf('reason')}>
          <Input {...form.register('reason')} />
        </Field>
        {action === 'suspend' && <TheirTools userId={user.id} />}
        {action === 'suspend' && (
          <Checkbox label="Go on charging the user’s own subscriptions meanwhile" {...form.register('keepCharging')} />
        )}
        <DialogFooter>
          <Button variant="secondary" disabled={form.pending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant={action === 'suspend' ? 'danger' : 'primary'}
            pending={form.pending}
            pendingLabel={actions[action].pending}
          >
            {actions[action].label}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
};
