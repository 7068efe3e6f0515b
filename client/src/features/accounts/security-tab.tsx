import { useState } from 'react';
import { Download, KeyRound, MonitorSmartphone } from 'lucide-react';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/members.ts';
import { addressOf } from '#shared/api/address.ts';
import type { OwnApiKey, Session, SignIn } from '#shared/api/security.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { useApiMutation, useApiQuery, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { CloseAccount } from '#client/features/accounts/close-account.tsx';
import { ChangeEmail } from '#client/features/accounts/change-email.tsx';
import { changeForm } from '#client/features/accounts/new-password.ts';
import { NewPasswordFields } from '#client/features/accounts/new-password-fields.tsx';
import { Identities } from '#client/features/accounts/identities.tsx';
import { Group, Setting, Unfold } from '#client/features/accounts/security-parts.tsx';
import { SecondFactor } from '#client/features/accounts/second-factor.tsx';
import { signInWith } from '#client/lib/session/claims.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge, Button, ButtonLink } from '#client/ui/elements.tsx';
import { Form } from '#client/ui/form.tsx';
import { PasswordField } from '#client/ui/password-input.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { useLogout } from '#client/lib/session/logout.ts';
import { ConfirmButton } from '#client/ui/dialog.tsx';
import { Row } from '#client/ui/list.tsx';

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
    <Form form={form} label="Change password" className="mt-4 max-w-form space-y-2">
      <input type="text" autoComplete="username" hidden readOnly value={user.email} />
      <PasswordField form={form} name="currentPassword" label="Current password" autoComplete="current-password" />
      <NewPasswordFields form={form} name="newPassword" person={user} />
      <Button type="submit" pending={form.pending} pendingLabel="Changing…">
        Change password
      </Button>
    </Form>
  );
};

const firstSignIns = 5;

const SignIns = ({ signIns }: { signIns: readonly SignIn[] }) => {
  const [all, setAll] = useState(false);
  return (
    <>
      <ul aria-label="Recent sign-ins" className="divide-y">
        {signIns.slice(0, all ? undefined : firstSignIns).map(({ id, what, sentence, createdAt }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2 text-sm">
            <span className={what === 'signed_in' || what === 'signed_out' ? '' : 'text-danger'}>{sentence}</span>
            <span className="figures text-xs text-muted">{formatDateTime(createdAt)}</span>
          </li>
        ))}
      </ul>
      {!all && signIns.length > firstSignIns && (
        <Button variant="secondary" size="sm" className="mt-2" onClick={() => setAll(true)}>
          Show all {signIns.length}
        </Button>
      )}
    </>
  );
};

/** Recent sign-ins and attempts on this account, by anybody. */
const RecentSignIns = () => (
  <QueryView
    query={useFreshQuery(contract.security.signIns)}
    failedTitle="Your recent sign-ins could not be loaded"
    loading={<Loading label="Loading your recent sign-ins" className="space-y-3 py-3" skeletons={['h-8', 'h-8']} />}
  >
    {(signIns) => <SignIns signIns={signIns} />}
  </QueryView>
);

/** It loads when it is opened: dialogs, keys and second factors are a third of the page. */
export default function SecurityTab({ user }: { user: User }) {
  return (
    <div className="space-y-8">
      <Group title="How you sign in">
        <SecondFactor emailVerified={user.emailVerified} />
        <Setting
          title="Password"
          description="Changing it signs out your other devices."
          action={
            <Unfold button="Change password…">
              <ChangePassword user={user} />
            </Unfold>
          }
        />
        {signInWith().length > 0 && !user.isAdmin && <Identities />}
        <ChangeEmail user={user} />
      </Group>
      <Group title="Where you are signed in">
        <Setting title="Sessions">
          <SessionList />
        </Setting>
        <Setting
          title="Recent sign-ins"
          description="If one wasn't you, change your password. That signs out every other device."
        >
          <RecentSignIns />
        </Setting>
        <OwnKeys />
      </Group>
      <Group title="Your data">
        <Setting
          title="Download"
          description={
            user.emailVerified
              ? 'Everything we hold about you, as a JSON file.'
              : 'Everything we hold about you, as a JSON file. Once you have verified your address, it also has what was sent there.'
          }
          action={
            <ButtonLink href={addressOf(contract.security.exportAccount)} download variant="secondary" size="sm">
              <Download aria-hidden />
              Download my data
            </ButtonLink>
          }
        />
        <Setting
          title="Close account"
          description="Ends your subscriptions and erases your details. This can't be undone."
          action={<CloseAccount email={user.email} />}
        />
      </Group>
    </div>
  );
}

const SessionRow = ({ session }: { session: Session }) => {
  const { signOut, pending: leaving } = useLogout();
  const { mutate, isPending } = useApiMutation(contract.security.endSession, {
    onSuccess: () => toast({ title: 'Signed Out', description: `${session.device} was signed out.` }),
    failure: 'Failed to sign out the session. Please try again.',
  });
  return (
    <Row
      basis="basis-40"
      icon={<MonitorSmartphone aria-hidden className="size-5 shrink-0 text-muted" />}
      title={
        <>
          {session.device}
          {session.current && <Badge tone="success">This device</Badge>}
        </>
      }
      action={
        <Button
          variant="secondary"
          size="sm"
          aria-label={session.current ? 'Sign out this device' : `Sign out ${session.device}`}
          pending={leaving || isPending}
          pendingLabel="Signing out…"
          onClick={() => (session.current ? signOut() : mutate({ params: { id: session.id } }))}
        >
          Sign out
        </Button>
      }
    >
      <p className="figures text-xs text-muted">
        Last used {formatDateTime(session.lastSeenAt)} · signed in {formatDateTime(session.createdAt)}
      </p>
    </Row>
  );
};

export const SessionList = () => (
  <QueryView
    query={useApiQuery(contract.security.sessions)}
    failedTitle="Your sessions could not be loaded"
    loading={<Loading label="Loading your sessions" className="space-y-3 py-3" skeletons={['h-10', 'h-10']} />}
  >
    {(sessions) => (
      <ul aria-label="Sessions" className="divide-y">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    )}
  </QueryView>
);

const KeyRow = ({ apiKey }: { apiKey: OwnApiKey }) => {
  const revoke = useApiMutation(contract.security.revokeApiKey, {
    onSuccess: () => toast({ title: 'API Key Revoked', description: `${apiKey.toolName} can no longer act for you.` }),
    failure: 'Failed to revoke the key. Please try again.',
  });
  return (
    <Row
      icon={<KeyRound aria-hidden className="size-5 shrink-0 text-muted" />}
      title={
        <>
          {apiKey.toolName} <span className="figures text-muted">{apiKey.token}</span>
        </>
      }
      action={
        <ConfirmButton
          button="Revoke"
          look={{ 'aria-label': `Revoke the key to ${apiKey.toolName}` }}
          title="Revoke this API key?"
          keepLabel="Keep it"
          confirmLabel="Revoke key"
          pendingLabel="Revoking…"
          mutation={revoke}
          onConfirm={() => revoke.mutate({ params: { id: apiKey.id } })}
        >
          Whatever uses it stops reaching {apiKey.toolName} at once. Only an administrator can create another.
        </ConfirmButton>
      }
    >
      <p className="figures text-xs text-muted">
        {apiKey.lastUsedAt ? `Last used ${formatDateTime(apiKey.lastUsedAt)}` : 'Never used'} · works until{' '}
        {formatSydneyDate(apiKey.expiresAt)}
      </p>
    </Row>
  );
};

/** Keys that an administrator made, with which a tool acts for this person; few have any. */
const OwnKeys = () => {
  const query = useApiQuery(contract.security.apiKeys);
  if (query.isPending || query.data?.length === 0) return null;
  return (
    <Setting title="API keys" description="Keys that let a tool act for you.">
      <QueryView query={query} failedTitle="Your API keys could not be loaded" loading={null}>
        {(keys) => (
          <ul aria-label="API keys" className="divide-y">
            {keys.map((apiKey) => (
              <KeyRow key={apiKey.id} apiKey={apiKey} />
            ))}
          </ul>
        )}
      </QueryView>
    </Setting>
  );
};
