import type { AdminUser } from '#shared/api/operators/admin-person.ts';
import { contract } from '#shared/api/index.ts';
import { ActForm, closeAndTell, Preview } from '#client/features/admin/act-form.tsx';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { fullName } from '#client/lib/session/people.ts';
import { useApiQuery, write } from '#client/lib/calls/use-api.ts';
import { Alert } from '#client/ui/elements.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Dialog } from '#client/ui/dialog.tsx';

type Values = { userId: string; reason: string; keepCharging?: boolean | undefined };
type AdminCalls = typeof contract.admin;
/** The administrators' calls whose body is a person and a reason. */
type CallAboutPerson = {
  [K in keyof AdminCalls]: AdminCalls[K] extends Pick<AdminCalls['reinstate'], 'body'> ? AdminCalls[K] : never;
}[keyof AdminCalls];

const ofBody =
  (call: CallAboutPerson) =>
  ({ userId, reason }: Values) =>
    write(call, { body: { userId, reason } });

const isOpen = ({ suspendedAt }: AdminUser) => suspendedAt === null;

/** In the order of the menu. */
const actions = {
  sendVerification: {
    isFor: ({ suspendedAt, emailVerified }: AdminUser) => !suspendedAt && !emailVerified,
    send: ({ userId, reason }: Values) =>
      write(contract.acts.sendVerification, { params: { id: userId }, body: { reason } }),
    label: 'Send a verification link',
    help: 'Emails another link that verifies the address. Older links stop working.',
    pending: 'Sending…',
  },
  endSessions: {
    isFor: isOpen,
    send: ofBody(contract.admin.endSessions),
    label: 'Sign out everywhere',
    help: 'Ends every session. The user can sign in again at once.',
    pending: 'Signing out…',
  },
  demandPassword: {
    isFor: isOpen,
    send: ofBody(contract.admin.demandPassword),
    label: 'Force a password reset',
    help: 'Ends every session, and emails a link to choose a new password. With the current password, the user can only choose a new one.',
    pending: 'Forcing…',
  },
  suspend: {
    isFor: isOpen,
    send: ({ userId, reason, keepCharging }: Values) =>
      write(contract.admin.suspend, { body: { userId, reason, keepCharging } }),
    label: 'Suspend',
    help: 'Ends every session and launch, revokes API keys, and refuses every sign-in until somebody reinstates the user. Practices they own go on for their members.',
    pending: 'Suspending…',
  },
  reinstate: {
    isFor: ({ suspendedAt }: AdminUser) => suspendedAt !== null,
    send: ofBody(contract.admin.reinstate),
    label: 'Reinstate',
    help: 'The user can sign in again, and what they pay for goes on with the next bill.',
    pending: 'Reinstating…',
  },
} as const;
export type AccountAct = keyof typeof actions;

/** What an administrator can do to this account now. */
export const accountActs = (user: AdminUser) =>
  (Object.keys(actions) as AccountAct[]).filter((act) => actions[act].isFor(user));

export const accountActLabel = (act: AccountAct) => actions[act].label;

/** A suspension of a maker also closes the tools they have published. */
const TheirTools = ({ userId }: { userId: string }) => {
  const { data: tools = [] } = useApiQuery(contract.publications.offered);
  const theirs = tools.filter(({ ownerId, closedAt }) => ownerId === userId && closedAt === null);
  return theirs.length === 0 ? null : (
    <Alert tone="warning" title={`Closes ${theirs.map(({ name }) => name).join(', ')} to new subscribers`}>
      Those who have it go on: its server’s secrets and events keep working. You can open it again under Catalogue.
    </Alert>
  );
};

type Props = { user: AdminUser; act: AccountAct; onClose: () => void };

/** Sends a user a link, signs them out, demands a new password, suspends or reinstates them; always with a reason, which they read. */
export const AccountDialog = ({ user, act, onClose }: Props) => {
  const { label, help, pending, send } = actions[act];
  const form = useApiForm({
    schema: contract.admin.suspend.body,
    defaultValues: { userId: user.id, reason: '', keepCharging: false },
    send,
    onDone: closeAndTell(onClose, { about: `${fullName(user)} (${user.email})` }),
  });
  return (
    <Dialog onClose={onClose} title={label} description={`${fullName(user)} · ${user.email}`}>
      {user.suspendedAt && (
        <Alert className="mb-4" title={`Suspended since ${formatDay(user.suspendedAt)}`}>
          {user.suspendedFor} {user.chargesPaused ? 'Nothing is charged meanwhile.' : 'Charges go on.'}
        </Alert>
      )}
      <ActForm
        form={form}
        label={label}
        help="The user reads it in our email."
        variant={act === 'suspend' ? 'danger' : 'primary'}
        pendingLabel={pending}
        button={label}
        onClose={onClose}
      >
        <Preview sentences={[help]} />
        {act === 'suspend' && (
          <>
            <TheirTools userId={user.id} />
            <Checkbox
              label="Go on charging the user’s own subscriptions meanwhile"
              {...form.register('keepCharging')}
            />
          </>
        )}
      </ActForm>
    </Dialog>
  );
};
