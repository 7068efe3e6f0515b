import type { ComponentProps } from 'react';
import { purposeLabels, purposes } from '#shared/rules/record/record.ts';
import { Checks } from '#client/features/record/checks.tsx';
import { Select } from '#client/ui/field.tsx';
import { bound, LongTextField, TextField } from '#client/ui/form.tsx';

const SelectField = bound(Select);
type Bound = ComponentProps<typeof TextField<'answer' | 'checks' | 'remark' | 'purpose' | 'clientReference'>>['form'];
type Props = {
  form: Bound & {
    watch(name: 'answer'): string;
    watch(name: 'checks'): string[];
    setValue(name: 'checks', value: string[]): void;
  };
  /** What can be ticked as checked. */
  checkList: readonly string[];
  /** The empty first choices, where nothing was said before. */
  unanswered: string | undefined;
  noPurpose: string | undefined;
  optional?: boolean;
};

/** What an adviser states about a session. */
export const ReviewFields = ({ form, checkList, unanswered, noPurpose, optional = false }: Props) => (
  <>
    <SelectField
      form={form}
      name="answer"
      label="The output"
      placeholder={unanswered}
      options={[
        { value: 'yes', label: 'I checked it' },
        { value: 'no', label: 'I did not check it' },
      ]}
    />
    {form.watch('answer') === 'yes' && (
      <Checks
        list={checkList}
        value={form.watch('checks')}
        onChange={(ticked) => form.setValue('checks', ticked)}
        error={form.errorOf('checks')}
      />
    )}
    <LongTextField
      form={form}
      name="remark"
      label="Remark"
      optional
      rows={2}
      help="Kept as you write it. Please leave client names, numbers and addresses out."
    />
    <SelectField
      form={form}
      name="purpose"
      label="Purpose"
      optional={optional}
      placeholder={noPurpose}
      options={purposes.map((value) => ({ value, label: purposeLabels[value] }))}
    />
    <TextField
      form={form}
      name="clientReference"
      label="Client reference"
      optional
      help="Your own file number, such as F-10234. Never a name."
      autoComplete="off"
    />
  </>
);
