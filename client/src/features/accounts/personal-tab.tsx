import type { User } from '#shared/api/accounts.ts';
import { formatPhone, parsePhone } from '#shared/rules/australia.ts';
import { NameFields } from '#client/features/accounts/name-fields.tsx';
import { ProfileTab } from '#client/features/accounts/profile-tab.tsx';
import { usePersonalForm } from '#client/features/accounts/profile-tab-form.ts';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

export const PersonalTab = ({ user }: { user: User }) => {
  const form = usePersonalForm(user);
  const { register, errorOf, setValue } = form;
  const tidy = (event: { target: { value: string } }) => {
    const phone = parsePhone(event.target.value);
    if (phone) setValue('mobile', formatPhone(phone));
  };
  return (
    <ProfileTab form={form} title="Personal information" description="Who you are, and where we reach you.">
      <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-2">
        <NameFields firstName={register('firstName')} lastName={register('lastName')} errorOf={errorOf} />
        <Field label="Email" help="You sign in with it; it can't be changed here.">
          <Input
            type="email"
            autoComplete="email"
            readOnly
            value={user.email}
            className="bg-surface-subtle text-muted"
          />
        </Field>
        <Field label="Mobile" error={errorOf('mobile')}>
          <Input type="tel" autoComplete="tel" placeholder="0412 345 678" {...register('mobile', { onBlur: tidy })} />
        </Field>
      </div>
    </ProfileTab>
  );
};
