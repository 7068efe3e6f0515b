import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { contract } from '#shared/api/index.ts';
import { api } from '#client/lib/api.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { paths } from '#client/lib/paths.ts';
import { clearSession } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';
import { TextLink } from '#client/ui/text-link.tsx';

type Props = { email: string; onCancel: () => void; onPending: (pending: boolean) => void };

const CloseForm = ({ email, onCancel, onPending }: Props) => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const [ownsTeam, setOwnsTeam] = useState(false);
  const { register, errorOf, formError, pending, onSubmit } = useApiForm({
    schema: contract.security.closeAccount.body,
    defaultValues: { password: '' },
    send: async (body) => {
      onPending(true);
      try {
        return await api.security.closeAccount({ body });
      } finally {
        onPending(false);
      }
    },
    onDone: ({ message }) => {
      clearSession(queryClient);
      navigate(paths.home);
      toast({ title: 'Account Closed', description: message });
    },
    onFailure: (error) => {
      setOwnsTeam(error.code === 'owns_team');
      toast({
        title: 'Error',
        description: sentenceOf(error, 'Failed to close the account. Please try again.'),
        variant: 'destructive',
      });
    },
  });
  return (
    <form noValidate onSubmit={onSubmit} aria-label="Close your account">
      {formError && (
        <Alert
          tone="danger"
          announce
          className="mb-4"
          action={ownsTeam && <TextLink href={paths.teams}>Go to your team</TextLink>}
        >
          {formError}
        </Alert>
      )}
      <ul className="mb-5 list-disc space-y-1.5 pl-5">
        <li>All your subscriptions end at once, and nothing more is charged. There is no refund.</li>
        <li>Your name, contact details, profile and notifications are erased, and every device is signed out.</li>
        <li>Invoices are kept for as long as the law demands; usage records stay without your name.</li>
        <li>This can&apos;t be undone. Download your data first if you want to keep it.</li>
      </ul>
      <input type="text" autoComplete="username" hidden readOnly value={email} />
      <Field label="Your password" error={errorOf('password')}>
        <PasswordInput autoComplete="current-password" {...register('password')} />
      </Field>
      <DialogFooter className="mt-3!">
        <Button variant="secondary" onClick={onCancel}>
          Keep my account
        </Button>
        <Button type="submit" variant="danger" pending={pending} pendingLabel="Closing your account…">
          Close account
        </Button>
      </DialogFooter>
    </form>
  );
};

/** Says what closing does, and asks for the password (decisions §3). */
export const CloseAccount = ({ email }: { email: string }) => {
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Close account…
      </Button>
      <Dialog open={open} onOpenChange={setOpen} locked={pending} title="Close your account?">
        <CloseForm email={email} onCancel={() => !pending && setOpen(false)} onPending={setPending} />
      </Dialog>
    </>
  );
};
