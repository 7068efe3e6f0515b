import { Download } from 'lucide-react';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/members.ts';
import { ChangeEmail } from '#client/features/accounts/change-email.tsx';
import { CloseAccount } from '#client/features/accounts/close-account.tsx';
import { changeForm, NewPasswordFields } from '#client/features/accounts/new-password.tsx';
import { OwnKeys } from '#client/features/accounts/own-keys.tsx';
import { SecondFactor } from '#client/features/accounts/second-factor.tsx';
import { SessionList } from '#client/features/accounts/session-list.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { addressOf } from '#shared/api/address.ts';
import { toast } from '#client/lib/words/toast.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** Ends the other sessions. The hidden email address tells password managers whose password this is. */
const ChangePassword = ({ user }: { user: User }) => {
  const form = useApiForm({
    schema: changeForm(user),
    defaultValues: empty,
    send: ({ confirmPassword: _confirmed, ...body }) => api.security.changePassword({ body }),
    onDone: ({ message }) => {
      form.reset(empty);
      toast({ title: 'Password Changed', description: message });
    },
    failure: 'Failed to change password. Please try again.',
  });
  return (
    <Form form={form} label="Change password" className="max-w-form space-y-2">
      <input type="text" autoComplete="username" hidden readOnly value={user.email} />
      <Field label="Current password" error={form.errorOf('currentPassword')}>
        <PasswordInput autoComplete="current-password" {...form.register('currentPassword')} />
      </Field>
      <NewPasswordFields form={form} name="newPassword" person={user} />
      <Button type="submit" pending={form.pending} pendingLabel="Changing…">
        Change password
      </Button>
    </Form>
  );
};

/** Recent sign-ins and attempts on this account, by anybody. */
const RecentSignIns = () => (
  <QueryView
    query={useApiQuery(contract.security.signIns, {}, { refetchOnMount: 'always' })}
    failedTitle="Your recent sign-ins could not be loaded"
    loading={<Loading label="Loading your recent sign-ins" className="space-y-3 py-3" skeletons={['h-8', 'h-8']} />}
  >
    {(signIns) => (
      <ul aria-label="Recent sign-ins" tabIndex={0} className="max-h-72 divide-y overflow-y-auto">
        {signIns.map(({ id, what, sentence, createdAt }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2 text-sm">
            <span className={what === 'signed_in' || what === 'signed_out' ? '' : 'text-danger'}>{sentence}</span>
            <span className="figures text-xs text-muted">{formatDateTime(createdAt)}</span>
          </li>
        ))}
      </ul>
    )}
  </QueryView>
);

/** It loads when it is opened: dialogs, keys and second factors are a third of the page. */
export default function SecurityTab({ user }: { user: User }) {
  return (
    <div className="space-y-6">
      <Panel title="Password" description="Changing it signs out your other devices.">
        <ChangePassword user={user} />
      </Panel>
      <SecondFactor />
      <ChangeEmail user={user} />
      <Panel title="Sessions" description="Where your account is signed in." bodyClassName="pt-2!">
        <SessionList />
      </Panel>
      <Panel
        title="Recent sign-ins"
        description="If one wasn't you, change your password. That signs out every other device."
        bodyClassName="pt-2!"
      >
        <RecentSignIns />
      </Panel>
      <Panel title="API keys" description="Keys that let a tool act for you." bodyClassName="pt-2!">
        <OwnKeys />
      </Panel>
      <Panel title="Your data" description="Everything we hold about you, as a JSON file.">
        <ButtonLink href={addressOf(contract.security.exportAccount)} download variant="secondary">
          <Download aria-hidden />
          Download my data
        </ButtonLink>
      </Panel>
      <Panel title="Close account" description="Ends your subscriptions and erases your details. This can't be undone.">
        <CloseAccount email={user.email} />
      </Panel>
    </div>
  );
}
