import { useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import { setupPasswordLength } from '#shared/rules/people/accounts.ts';
import { useMailedToken } from '#client/lib/session/mailed-token.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button, ButtonLink } from '#client/ui/button.tsx';
import { Card } from '#client/ui/card.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { NameFields } from '#client/features/accounts/person-fields.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toastError } from '#client/lib/words/toast.ts';
import { Field, Form, PasswordInput, TextField } from '#client/ui/form.tsx';

type Created = Reply<typeof contract.security.setupAdmin>;

const Result = ({ message, email, password, note }: Created) => (
  <>
    <Alert tone="success" announce title={message} className="mt-6" />
    <dl className="mt-5 space-y-3">
      <div>
        <dt className="text-muted">Email</dt>
        <dd className="font-mono break-all">{email}</dd>
      </div>
      <div>
        <dt className="text-muted">Password</dt>
        <dd className="font-mono break-all">{password}</dd>
      </div>
    </dl>
    <p className="mt-5 text-muted">{note}</p>
    <ButtonLink href={paths.auth} size="lg" className="mt-6 w-full">
      Go to Login
    </ButtonLink>
  </>
);

const Closed = () => (
  <>
    <p className="mt-4">
      Setup is closed. Either there is an administrator already, or this server has no setup link configured.
    </p>
    <p className="mt-2 text-muted">An administrator can sign in as usual.</p>
    <ButtonLink href={paths.auth} size="lg" className="mt-6 w-full">
      Go to Login
    </ButtonLink>
  </>
);

/** /setup-admin: makes the first administrator, once; in production it needs the operator's link. */
export default function SetupAdminPage() {
  const { token, forget } = useMailedToken(paths.setupAdmin);
  const [created, setCreated] = useState<Created>();
  const state = useApiQuery(contract.security.setupState);
  useTitle('Set up the administrator');
  return (
    <Card className="mx-auto w-full max-w-[27rem] p-5 text-sm sm:p-8">
      <h1 className="text-xl">Set up the administrator</h1>
      {created ? (
        <Result {...created} />
      ) : (
        <QueryView
          query={state}
          failedTitle="This page could not be loaded"
          loading={<Loading label="Loading the setup" skeletons={['mt-4 h-20', 'mt-6 h-80']} />}
        >
          {({ open }) =>
            open ? (
              <>
                <Alert tone="warning" title="Development mode" className="mt-4">
                  This page creates the first administrator, once. In production it opens only with the operator&apos;s
                  setup link.
                </Alert>
                <SetupAdminForm
                  token={token}
                  onCreated={(reply) => {
                    forget();
                    setCreated(reply);
                  }}
                />
              </>
            ) : (
              <Closed />
            )
          }
        </QueryView>
      )}
    </Card>
  );
}

type Props = { token: string | null; onCreated: (reply: Reply<typeof contract.security.setupAdmin>) => void };

/** What is missing is said in a toast too. */
export const SetupAdminForm = ({ token, onCreated }: Props) => {
  const form = useApiForm({
    schema: contract.security.setupAdmin.body,
    defaultValues: { firstName: '', lastName: '', email: '', password: '' },
    send: (body) => api.security.setupAdmin({ body: token ? { ...body, setupToken: token } : body }),
    onDone: onCreated,
    failure: 'Failed to setup admin account',
    failureTitle: 'Setup Failed',
  });
  const { register, errorOf, getValues } = form;
  const submit = (event: React.SyntheticEvent) => {
    const { firstName, lastName, email, password } = getValues();
    if ([firstName, lastName, email].some((text) => text.trim() === '') || password === '') {
      toastError('Please fill in all fields', 'All Fields Required');
    } else if (password.length < setupPasswordLength) {
      toastError(`Password must be at least ${setupPasswordLength} characters long`, 'Password Too Short');
    }
    form.onSubmit(event);
  };
  return (
    <Form form={form} label="Set up the administrator" onSubmit={submit} className="mt-6 space-y-2">
      <NameFields firstName={register('firstName')} lastName={register('lastName')} errorOf={errorOf} />
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <Field label="Password" help={`${setupPasswordLength}+ characters`} error={errorOf('password')}>
        <PasswordInput autoComplete="new-password" {...register('password')} />
      </Field>
      <Button
        type="submit"
        size="lg"
        className="w-full"
        pending={form.pending}
        pendingLabel="Creating the administrator…"
      >
        Create administrator
      </Button>
    </Form>
  );
};
