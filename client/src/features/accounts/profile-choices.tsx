import { Controller } from 'react-hook-form';
import { credentials, specializations } from '#shared/rules/accounts.ts';
import type { ProfileForm } from '#client/features/accounts/profile-form.ts';
import { CheckboxGroup } from '#client/ui/checkbox-group.tsx';

type Props = { form: ProfileForm };

export const CredentialChoice = ({ form: { control, errorOf } }: Props) => (
  <Controller
    control={control}
    name="professionalCredentials"
    render={({ field }) => (
      <CheckboxGroup
        legend="Credentials you hold"
        optional
        options={credentials}
        value={(field.value ?? []) as (typeof credentials)[number][]}
        onChange={field.onChange}
        error={errorOf('professionalCredentials')}
      />
    )}
  />
);

export const SpecialisationChoice = ({ form: { control, errorOf } }: Props) => (
  <Controller
    control={control}
    name="specializationAreas"
    render={({ field }) => (
      <CheckboxGroup
        legend="Areas you advise on"
        options={specializations}
        value={(field.value ?? []) as (typeof specializations)[number][]}
        onChange={field.onChange}
        error={errorOf('specializationAreas')}
      />
    )}
  />
);
