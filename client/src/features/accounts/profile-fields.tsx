import { useFormState, useWatch } from 'react-hook-form';
import {
  formatAbn,
  formatPhone,
  looksLikeAfsl,
  parseAbn,
  parsePhone,
  postcodeFitsState,
  states,
} from '#shared/rules/australia.ts';
import type { ProfileForm } from '#client/features/accounts/profile-form.ts';
import { ProfileHint } from '#client/features/accounts/profile-hint.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { Select } from '#client/ui/select.tsx';

type Props = { form: ProfileForm };
type Left = { target: { value: string } };

/** The postcode may be right: border towns are served from the next state. */
const usePostcodeWarning = (control: ProfileForm['control']) => {
  const [state, postcode] = useWatch({ control, name: ['businessState', 'businessPostcode'] });
  const complete = states.includes(state) && /^\d{4}$/.test(postcode.trim());
  return complete && !postcodeFitsState(postcode.trim(), state) && `${postcode.trim()} is not usually in ${state}.`;
};

export const ContactFields = ({ form: { register, errorOf, setValue } }: Props) => {
  const tidy = (event: Left) => {
    const phone = parsePhone(event.target.value);
    if (phone) setValue('mobile', formatPhone(phone));
  };
  return (
    <Field label="Business phone" error={errorOf('mobile')} className="sm:max-w-72">
      <Input type="tel" autoComplete="tel" placeholder="0412 345 678" {...register('mobile', { onBlur: tidy })} />
    </Field>
  );
};

const AddressFields = ({ form: { register, errorOf, control } }: Props) => {
  const warning = usePostcodeWarning(control);
  return (
    <>
      <Field label="Business address" error={errorOf('businessAddress')} className="sm:col-span-6">
        <Input
          autoComplete="street-address"
          placeholder="Level 4, 120 Collins Street"
          {...register('businessAddress')}
        />
      </Field>
      <Field label="City" error={errorOf('businessCity')} className="sm:col-span-2">
        <Input autoComplete="address-level2" {...register('businessCity')} />
      </Field>
      <Field label="State" error={errorOf('businessState')} className="sm:col-span-2">
        <Select
          autoComplete="address-level1"
          options={states}
          placeholder="Choose a state"
          {...register('businessState')}
        />
      </Field>
      <Field
        label="Postcode"
        help={<ProfileHint warning={!errorOf('businessPostcode') && warning} />}
        error={errorOf('businessPostcode')}
        className="sm:col-span-2"
      >
        <Input autoComplete="postal-code" inputMode="numeric" maxLength={4} {...register('businessPostcode')} />
      </Field>
    </>
  );
};

export const BusinessFields = ({ form }: Props) => {
  const { register, errorOf, control, setValue } = form;
  const { touchedFields } = useFormState({ control, name: 'afslNumber' });
  const afsl = useWatch({ control, name: 'afslNumber' })?.trim() ?? '';
  // A warning waits, as an error does, until the field was left once.
  const oddAfsl = afsl !== '' && !looksLikeAfsl(afsl) && touchedFields.afslNumber;
  const tidyAbn = (event: Left) => {
    const abn = parseAbn(event.target.value);
    if (abn) setValue('abn', formatAbn(abn));
  };
  return (
    <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-6">
      <Field label="Business name" error={errorOf('businessName')} className="sm:col-span-3">
        <Input autoComplete="organization" {...register('businessName')} />
      </Field>
      <Field label="Dealer group" error={errorOf('dealerGroup')} className="sm:col-span-3">
        <Input autoComplete="off" placeholder="Dealer group or firm affiliation" {...register('dealerGroup')} />
      </Field>
      <AddressFields form={form} />
      <Field
        label="AFSL number"
        optional
        help={
          <ProfileHint
            hint="Australian Financial Services Licence"
            warning={oddAfsl && 'Usually up to 6 digits. Please check it.'}
          />
        }
        error={errorOf('afslNumber')}
        className="sm:col-span-3"
      >
        <Input autoComplete="off" inputMode="numeric" {...register('afslNumber')} />
      </Field>
      <Field label="ABN" optional help="Printed on your tax invoices" error={errorOf('abn')} className="sm:col-span-3">
        <Input
          autoComplete="off"
          inputMode="numeric"
          placeholder="51 824 753 556"
          {...register('abn', { onBlur: tidyAbn })}
        />
      </Field>
    </div>
  );
};
