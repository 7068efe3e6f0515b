import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import type { User } from '#shared/api/accounts.ts';
import { profileForm } from '#shared/api/profile.ts';
import { byField, type ProfileField } from '#shared/rules/people/profile.ts';
import { ProfileInput, type ProfileValues, shownOf } from '#client/features/accounts/profile-form.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { setUser } from '#client/lib/session/session.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Form, FormFooter } from '#client/ui/form.tsx';

const shown = ['firstName', 'lastName', 'mobile', 'abn', 'dealerGroup'] as const satisfies readonly ProfileField[];
const placeholders: Partial<Record<ProfileField, string>> = {
  mobile: '+61 xxx xxx xxx',
  abn: 'xx xxx xxx xxx',
  dealerGroup: '',
};

const change = profileForm.pick(byField(shown, () => true as const)).partial();

/** Only what was changed is checked and sent, so that an empty mobile left as it was blocks nothing. */
const touched = (before: ProfileValues) =>
  z
    .custom<ProfileValues>()
    .transform((values): z.input<typeof change> =>
      Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== before[name as ProfileField])),
    )
    .pipe(change);

const EditForm = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const queryClient = useQueryClient();
  const [before] = useState(() => shownOf(user, shown));
  const form = useKeptForm({
    schema: touched(before),
    defaultValues: before,
    draft: 'edit-profile',
    send: async (body) => (Object.keys(body).length > 0 ? api.accounts.updateProfile({ body }) : null),
    onDone: (saved) => {
      if (saved) {
        setUser(queryClient, saved);
        toast({ title: 'Profile Updated', description: 'Your changes were saved.' });
      }
      onClose();
    },
    failure: 'Failed to update profile. Please try again.',
  });
  return (
    <Form form={form} label="Edit Profile">
      <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-2">
        {shown.map((name) => (
          <ProfileInput
            key={name}
            form={form}
            name={name}
            placeholder={placeholders[name]}
            plain
            className={name === 'dealerGroup' ? 'sm:col-span-2' : undefined}
          />
        ))}
      </div>
      <FormFooter form={form} onCancel={onClose} pendingLabel="Saving…">
        Save changes
      </FormFooter>
    </Form>
  );
};

type Props = { user: User; open: boolean; onClose: () => void };

export default function EditProfileDialog({ user, open, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="Edit Profile">
      <EditForm user={user} onClose={onClose} />
    </Dialog>
  );
}
