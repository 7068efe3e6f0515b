import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/index.ts';
import { formatAbn, formatPhone, parseAbn, parsePhone } from '#shared/rules/australia.ts';
import { NameFields } from '#client/features/accounts/name-fields.tsx';
import { api } from '#client/lib/api.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { setUser } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

const { shape } = contract.accounts.updateProfile.body;
const change = z.strictObject({
  firstName: shape.firstName,
  lastName: shape.lastName,
  mobile: shape.mobile,
  dealerGroup: shape.dealerGroup,
  abn: shape.abn,
});

const valuesOf = (user: User) => ({
  firstName: user.firstName,
  lastName: user.lastName,
  mobile: formatPhone(user.mobile ?? ''),
  dealerGroup: user.dealerGroup ?? '',
  abn: formatAbn(user.abn ?? ''),
});
type Values = ReturnType<typeof valuesOf>;

/** Only what was touched is checked and sent: an empty mobile that nobody touched stops nobody (decisions §3). */
const touched = (before: Values) =>
  z
    .custom<Values>()
    .transform((values): z.input<typeof change> =>
      Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== before[name as keyof Values])),
    )
    .pipe(change);

type FormProps = { user: User; onClose: () => void; onPending: (pending: boolean) => void };

const EditForm = ({ user, onClose, onPending }: FormProps) => {
  const queryClient = useQueryClient();
  const [before] = useState(() => valuesOf(user));
  const form = useApiForm({
    schema: touched(before),
    defaultValues: before,
    send: async (body) => {
      onPending(true);
      try {
        return await api.accounts.updateProfile({ body });
      } finally {
        onPending(false);
      }
    },
    onDone: (saved) => {
      setUser(queryClient, saved);
      toast({ title: 'Profile Updated', description: 'Your changes were saved.' });
      onClose();
    },
    onFailure: (error) =>
      toast({
        title: 'Error',
        description: sentenceOf(error, 'Failed to update profile. Please try again.'),
        variant: 'destructive',
      }),
  });
  const { register, errorOf, setValue, formError, pending, dirty, onSubmit } = form;
  const tidy = (name: 'mobile' | 'abn', parse: (text: string) => string | null, format: (text: string) => string) => ({
    onBlur: (event: { target: { value: string } }) => {
      const parsed = parse(event.target.value);
      if (parsed) setValue(name, format(parsed), { shouldDirty: true });
    },
  });
  return (
    <form noValidate onSubmit={onSubmit} aria-label="Edit Profile">
      {formError && (
        <Alert tone="danger" announce className="mb-4">
          {formError}
        </Alert>
      )}
      <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-2">
        <NameFields firstName={register('firstName')} lastName={register('lastName')} errorOf={errorOf} />
        <Field label="Mobile" error={errorOf('mobile')}>
          <Input
            type="tel"
            autoComplete="tel"
            placeholder="+61 xxx xxx xxx"
            {...register('mobile', tidy('mobile', parsePhone, formatPhone))}
          />
        </Field>
        <Field label="ABN" optional error={errorOf('abn')}>
          <Input
            autoComplete="off"
            inputMode="numeric"
            placeholder="xx xxx xxx xxx"
            {...register('abn', tidy('abn', parseAbn, formatAbn))}
          />
        </Field>
        <Field label="Dealer group" error={errorOf('dealerGroup')} className="sm:col-span-2">
          <Input autoComplete="off" {...register('dealerGroup')} />
        </Field>
      </div>
      <DialogFooter className="mt-3!">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!dirty} pending={pending} pendingLabel="Saving…">
          Save changes
        </Button>
      </DialogFooter>
    </form>
  );
};

type DialogProps = { user: User; open: boolean; onOpenChange: (open: boolean) => void };

/** What the Edit button of the profile card opens. */
export const EditProfileDialog = ({ user, open, onOpenChange }: DialogProps) => {
  const [pending, setPending] = useState(false);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} locked={pending} title="Edit Profile">
      <EditForm user={user} onClose={() => onOpenChange(false)} onPending={setPending} />
    </Dialog>
  );
};
