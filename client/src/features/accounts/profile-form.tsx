import { Text } from '#client/ui/elements.tsx';
import * as z from 'zod';
import { TriangleAlert } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Controller, useFormState, useWatch } from 'react-hook-form';
import type { User } from '#shared/api/accounts.ts';
import type { contract } from '#shared/api/members.ts';
import { profileForm } from '#shared/api/profile.ts';
import {
  byField,
  factsOf,
  fieldsOn,
  type ProfileField,
  type ProfileList,
  type ProfileTab,
  type ProfileText,
} from '#shared/rules/people/profile.ts';
import { looksLikeAfsl, postcodeFitsState, states } from '#shared/rules/australia.ts';
import { profileLabels } from '#client/lib/words/profile-labels.ts';
import type { useApiForm } from '#client/lib/forms/form.ts';
import { CheckboxGroup } from '#client/ui/checkbox.tsx';
import { Field, Input, Select } from '#client/ui/field.tsx';

/** The values of a profile form while it is filled in, whichever part of the profile it shows. */
export type ProfileValues = Partial<Record<ProfileText, string | null> & Record<ProfileList, unknown>>;

type ProfileForm = Pick<
  ReturnType<typeof useApiForm<ProfileValues, unknown, unknown>>,
  'register' | 'errorOf' | 'setValue' | 'control'
>;

type Change = z.input<typeof contract.accounts.updateProfile.body>;

export const overProfile = <Output,>(schema: z.ZodType<Output, ProfileValues>) =>
  z.custom<ProfileValues>().pipe(schema);

const tabSchema = (tab: ProfileTab): z.ZodType<Change, ProfileValues> =>
  overProfile(profileForm.pick(byField(fieldsOn(tab), () => true as const)));

/** Each tab takes its own fields and refuses any other, so that none is dropped silently. */
export const tabSchemas: Record<ProfileTab, z.ZodType<Change, ProfileValues>> = {
  personal: tabSchema('personal'),
  business: tabSchema('business'),
  professional: tabSchema('professional'),
};

/** What a form shows of the user: text as people write it, a choice only if it is still an option, lists as they are. */
export const shownOf = (user: User, names: readonly ProfileField[]): ProfileValues =>
  byField(names, (name) => {
    const { oneOf, tidy } = factsOf(name);
    const value = user[name];
    if (Array.isArray(value)) return value;
    if (oneOf) return oneOf.find((option) => option === value);
    return tidy ? tidy.format(value ?? '') : (value ?? '');
  }) as ProfileValues;

type HelpProps = { form: ProfileForm };
type WarningProps = { hint?: string; warning: string | false | undefined };

/** Below a field: a hint or, in its place, a warning, which is announced but blocks nothing. */
const Warning = ({ hint, warning }: WarningProps) => (
  <span aria-live="polite" className={warning ? 'flex gap-1 text-warning' : undefined}>
    {warning && <TriangleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />}
    <Text>{warning || hint}</Text>
  </span>
);

/** The postcode may be right: border towns are served from the next state. */
const PostcodeHelp = ({ form: { control, errorOf } }: HelpProps) => {
  const [chosen, typed] = useWatch({ control, name: ['businessState', 'businessPostcode'] });
  const state = states.find((each) => each === chosen);
  const postcode = typed?.trim() ?? '';
  const odd = state && /^\d{4}$/.test(postcode) && !postcodeFitsState(postcode, state);
  const warning = odd && !errorOf('businessPostcode') && `${postcode} is not usually in ${state}.`;
  return <Warning warning={warning} />;
};

const AfslHelp = ({ form: { control } }: HelpProps) => {
  const { touchedFields } = useFormState({ control, name: 'afslNumber' });
  const afsl = useWatch({ control, name: 'afslNumber' })?.trim() ?? '';
  // Like an error, a warning waits until the field has been left once.
  const odd = afsl !== '' && !looksLikeAfsl(afsl) && touchedFields.afslNumber;
  return (
    <Warning hint="Australian Financial Services Licence" warning={odd && 'Usually up to 6 digits. Please check it.'} />
  );
};

type Look = {
  /** In a form, where the person themselves reads it. */
  label?: string;
  input?: ComponentProps<'input'>;
  help?: string | ((props: HelpProps) => ReactNode);
  /** Its share of the six columns of the business fields. */
  width?: string;
};

const half = 'sm:col-span-3';
const third = 'sm:col-span-2';

const looks: Record<ProfileField, Look> = {
  firstName: { input: { autoComplete: 'given-name' } },
  lastName: { input: { autoComplete: 'family-name' } },
  mobile: { input: { type: 'tel', autoComplete: 'tel', placeholder: '0412 345 678' } },
  businessName: { input: { autoComplete: 'organization' }, width: half },
  dealerGroup: { input: { autoComplete: 'off', placeholder: 'Dealer group or firm affiliation' } },
  businessAddress: {
    input: { autoComplete: 'address-line1', placeholder: 'Level 4, 120 Collins Street' },
    width: 'sm:col-span-6',
  },
  businessCity: { input: { autoComplete: 'address-level2' }, width: third },
  businessState: { input: { autoComplete: 'address-level1', placeholder: 'Choose a state' }, width: third },
  businessPostcode: {
    input: { autoComplete: 'postal-code', inputMode: 'numeric', maxLength: 4 },
    help: PostcodeHelp,
    width: third,
  },
  adviserNumber: {
    input: { autoComplete: 'off', inputMode: 'numeric' },
    help: 'Shown beside your name in your practice’s evidence packs.',
  },
  afslNumber: { input: { autoComplete: 'off', inputMode: 'numeric' }, help: AfslHelp },
  abn: {
    input: { autoComplete: 'off', inputMode: 'numeric', placeholder: '12 345 678 901' },
    help: 'Printed on your tax invoices',
  },
  professionalCredentials: { label: 'Credentials you hold' },
  specializationAreas: { label: 'Areas you advise on' },
};

type InputProps = {
  form: ProfileForm;
  name: ProfileField;
  label?: string;
  placeholder?: string;
  /** Without the help below the field. */
  plain?: boolean;
  className?: string;
};

export const ProfileInput = ({ form, name, placeholder, plain, className, ...own }: InputProps) => {
  const { register, errorOf, setValue, control } = form;
  const { oneOf, someOf, tidy, optional } = factsOf(name);
  const { input, help: Help, ...look } = looks[name];
  const label = own.label ?? look.label ?? profileLabels[name];
  if (someOf) {
    return (
      <Controller
        control={control}
        name={name}
        render={({ field }) => (
          <CheckboxGroup
            legend={label}
            optional={optional}
            options={someOf}
            value={(field.value ?? []) as string[]}
            onChange={field.onChange}
            error={errorOf(name)}
            className={className}
          />
        )}
      />
    );
  }
  const rewrite = ({ target }: { target: { value: string } }) => {
    const parsed = tidy?.parse(target.value);
    if (tidy && parsed) setValue(name, tidy.format(parsed), { shouldDirty: true });
  };
  const registered = register(name, tidy && { onBlur: rewrite });
  return (
    <Field
      label={label}
      optional={optional}
      help={plain ? undefined : typeof Help === 'function' ? <Help form={form} /> : Help}
      error={errorOf(name)}
      className={className}
    >
      {oneOf ? (
        <Select autoComplete={input?.autoComplete} placeholder={input?.placeholder} options={oneOf} {...registered} />
      ) : (
        <Input {...input} placeholder={(placeholder ?? input?.placeholder) || undefined} {...registered} />
      )}
    </Field>
  );
};

export const BusinessInputs = ({ form }: { form: ProfileForm }) => (
  <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-6">
    {fieldsOn('business').map((name) => (
      <ProfileInput key={name} form={form} name={name} className={looks[name].width ?? half} />
    ))}
  </div>
);
