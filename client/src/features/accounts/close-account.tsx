import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { contract } from '#shared/api/members.ts';
import { api } from '#client/lib/calls/api.ts';
import { closingCharge, closingSentence } from '#client/lib/money/bill-words.ts';
import { useForecast } from '#client/lib/money/forecast.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { clearSession } from '#client/lib/session/session.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';
import { TextLink } from '#client/ui/text-link.tsx';

const CloseForm = ({ email, onCancel }: { email: string; onCancel: () => void }) => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const { data: forecast, refetch } = useForecast({});
  const [ownsTeam, setOwnsTeam] = useState(false);
  const form = useApiForm({
    schema: contract.security.closeAccount.body,
    defaultValues: { password: '' },
    send: (body) => api.security.closeAccount({ body: { ...body, ...closingCharge(forecast) } }),
    onDone: ({ message }) => {
      clearSession(queryClient);
      navigate(paths.home);
      toast({ title: 'Account Closed', description: message });
    },
    failure: 'Failed to close the account. Please try again.',
    onFailure: ({ code }) => {
      setOwnsTeam(code === 'owns_team');
      // The last charge or the card has changed elsewhere.
      void refetch();
    },
  });
  return (
    <Form
      form={form}
      label="Close your account"
      errorAction={ownsTeam && <TextLink href={paths.teams}>Go to your team</TextLink>}
    >
      <ul className="mb-5 list-disc space-y-1.5 pl-5">
        <li className="figures">
          All your subscriptions end at once, and {forecast ? closingSentence(forecast) : '…'}. Days already paid are
          not refunded.
        </li>
        <li>Your name, contact details, profile and notifications are erased, and every device is signed out.</li>
        <li>Invoices are kept for as long as the law requires; usage records stay without your name.</li>
        <li>This can&apos;t be undone. Download your data first if you want to keep it.</li>
      </ul>
      <input type="text" autoComplete="username" hidden readOnly value={email} />
      <Field label="Your password" error={form.errorOf('password')}>
        <PasswordInput autoComplete="current-password" {...form.register('password')} />
      </Field>
      <FormFooter
        form={form}
        onCancel={onCancel}
        cancelLabel="Keep my account"
        variant="danger"
        pendingLabel="Closing your account…"
      >
        Close account
      </FormFooter>
    </Form>
  );
};

export const CloseAccount = ({ email }: { email: string }) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Close account…
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Close your account?">
        <CloseForm email={email} onCancel={() => setOpen(false)} />
      </Dialog>
    </>
  );
};
