import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/members.ts';
import { EmailField } from '#client/features/accounts/person-fields.tsx';
import { Setting, Unfold } from '#client/features/accounts/security-parts.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Alert, Button } from '#client/ui/elements.tsx';
import { Form } from '#client/ui/form.tsx';

/** A change that waits for its link to be used. */
const Pending = () => {
  const { data } = useApiQuery(contract.security.emailChange);
  const { mutate, isPending } = useApiMutation(contract.security.cancelEmailChange, {
    onSuccess: ({ message }) => toast({ title: 'Change Cancelled', description: message }),
    failure: 'Failed to cancel the change. Please try again.',
  });
  return (
    data && (
      <Alert
        title={`Waiting for you to open the link we sent to ${data.email}`}
        action={
          <Button variant="secondary" size="sm" pending={isPending} pendingLabel="Cancelling…" onClick={() => mutate()}>
            Cancel the change
          </Button>
        }
      >
        It works until {formatDateTime(data.expiresAt)}.
      </Alert>
    )
  );
};

/** Nothing changes until the link mailed to the new address is used. */
export const ChangeEmail = ({ user }: { user: User }) => {
  const form = useApiForm({
    schema: contract.security.changeEmail.body,
    defaultValues: { email: '' },
    send: (body) => api.security.changeEmail({ body }),
    onDone: ({ message }) => {
      form.reset();
      toast({ title: 'Link Sent', description: message });
    },
    failure: 'Failed to change the address. Please try again.',
  });
  return (
    <Setting
      title="Email address"
      description={`You sign in as ${user.email}, and our emails go there.`}
      action={
        <Unfold button="Change email…">
          <Form form={form} label="Change email address" className="mt-4 max-w-form space-y-2">
            <EmailField
              label="New email address"
              autoComplete="off"
              error={form.errorOf('email')}
              {...form.register('email')}
            />
            <Button type="submit" pending={form.pending} pendingLabel="Sending…">
              Send the link
            </Button>
          </Form>
        </Unfold>
      }
    >
      <Pending />
    </Setting>
  );
};
