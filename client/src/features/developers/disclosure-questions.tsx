import { type ReactNode, useState } from 'react';
import { type Control, useFieldArray, type UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';
import type { disclosureAnswers } from '#shared/api/disclosure.ts';
import {
  accessibilityLabels,
  decidesLabels,
  humanReviewLabels,
  type Question,
  questionLabels,
  storedDataLabels,
  trainingLabels,
} from '#shared/rules/record/disclosure.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Button } from '#client/ui/elements.tsx';
import { Field, FieldError, Input, Select, Textarea } from '#client/ui/field.tsx';

type Typed = z.input<typeof disclosureAnswers>;
type Text = Extract<keyof Typed, Question | 'trainingDetails'>;
type Form = Pick<UseFormReturn<Typed>, 'register' | 'formState'> & {
  control: Control<Typed, unknown, z.output<typeof disclosureAnswers> | null>;
  errorOf: (name: Text) => string | undefined;
};
type OfForm = { form: Form };

const textOrNull = { setValueAs: (typed: string | null) => typed || null };
const wholeOrNull = {
  setValueAs: (typed: string | number | null) => (typed === '' || typed === null ? null : Number(typed)),
};

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="min-w-0 border-t pt-4">
    <legend className="float-left mb-3 w-full font-semibold">{title}</legend>
    <div className="clear-both space-y-1">{children}</div>
  </fieldset>
);

type Asked = OfForm & { about: Text; help?: string };

const Line = ({ form, about, help, type }: Asked & { type?: 'email' | 'date' }) => (
  <Field label={questionLabels[about as Question]} help={help} required={false} error={form.errorOf(about)}>
    <Input type={type} {...form.register(about, type === 'date' ? textOrNull : undefined)} />
  </Field>
);

const Lines = ({ form, about, help }: Asked) => (
  <Field label={questionLabels[about as Question]} help={help} required={false} error={form.errorOf(about)}>
    <Textarea rows={2} className="min-h-16" {...form.register(about)} />
  </Field>
);

const Count = ({ form, about, unit }: Asked & { unit: string }) => (
  <Field label={`${questionLabels[about as Question]} (${unit})`} required={false} error={form.errorOf(about)}>
    <Input inputMode="numeric" className="max-w-32" {...form.register(about, wholeOrNull)} />
  </Field>
);

const Choice = ({ form, about, help, labels }: Asked & { labels: Record<string, string> }) => (
  <Field label={questionLabels[about as Question]} help={help} required={false} error={form.errorOf(about)}>
    <Select
      placeholder="Not given"
      options={Object.entries(labels).map(([value, label]) => ({ value, label }))}
      {...form.register(about, textOrNull)}
    />
  </Field>
);

const StoredData = ({ form }: OfForm) => (
  <fieldset className="pb-3">
    <legend className="text-sm font-medium">{questionLabels.storedData}</legend>
    <div className="mt-1 grid gap-x-6 sm:grid-cols-2">
      {Object.entries(storedDataLabels).map(([kind, label]) => (
        <Checkbox key={kind} label={label} value={kind} {...form.register('storedData')} />
      ))}
    </div>
    <FieldError error={form.errorOf('storedData')} />
  </fieldset>
);

type Column<Name extends string> = { name: Name; label: string; placeholder?: string; type?: 'url' | 'date' };
type RowsProps<Name extends string> = OfForm & {
  about: 'subProcessors' | 'certificates';
  /** One of them. */
  one: string;
  columns: readonly Column<Name>[];
  empty: Record<Name, string | null>;
  fault: string;
  children?: (rows: number) => ReactNode;
};

const Rows = <Name extends string>({ form, about, one, columns, empty, fault, children }: RowsProps<Name>) => {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: about as 'certificates' });
  const error = form.formState.errors[about];
  return (
    <fieldset className="space-y-2 pb-3">
      <legend className="text-sm font-medium">{questionLabels[about]}</legend>
      {fields.map((field, index) => (
        <div key={field.id} className="flex flex-wrap items-start gap-x-4 border-t pt-2">
          {columns.map(({ name, label, placeholder, type }) => (
            <Field key={name} label={`${label} ${index + 1}`} required={false} className="flex-1 basis-60">
              <Input
                placeholder={placeholder}
                type={type}
                {...form.register(`${about}.${index}.${name}` as never, type === 'date' ? textOrNull : undefined)}
              />
            </Field>
          ))}
          <Button
            variant="ghost"
            className="sm:mt-6"
            aria-label={`Remove ${one} ${index + 1}`}
            onClick={() => remove(index)}
          >
            Remove
          </Button>
        </div>
      ))}
      <FieldError error={error && (error.root?.message ?? error.message ?? fault)} />
      {children?.(fields.length)}
      <Button variant="secondary" size="sm" onClick={() => append(empty as never)}>
        Add a {one}
      </Button>
    </fieldset>
  );
};

const subProcessor = [
  { name: 'name', label: 'Company' },
  { name: 'country', label: 'Country' },
  { name: 'purpose', label: 'Purpose', placeholder: 'Language model' },
] as const;
const certificate = [
  { name: 'name', label: 'Certificate', placeholder: 'ISO 27001' },
  { name: 'evidenceUrl', label: 'Evidence of certificate', placeholder: 'https://…', type: 'url' },
  { name: 'expiresOn', label: 'Expiry of certificate', type: 'date' },
] as const;

/** Whether no other company works with the data, which an empty list doesn't say. */
export const useNoSubProcessors = (answers: { subProcessors: unknown[] | null }) =>
  useState(answers.subProcessors?.length === 0);

export const DisclosureQuestions = ({
  form,
  none: [none, setNone],
}: OfForm & { none: ReturnType<typeof useNoSubProcessors> }) => (
  <>
    <Part title="The tool">
      <Line form={form} about="maker" help="The company that answers for the tool." />
      <Line
        form={form}
        about="contact"
        type="email"
        help="An email address that somebody reads. It is public, so give one of the company."
      />
      <Lines form={form} about="does" />
      <Line form={form} about="model" help="Which models it works with, and whose they are." />
      <Line form={form} about="version" />
      <Choice form={form} about="decides" labels={decidesLabels} />
    </Part>
    <Part title="The data">
      <StoredData form={form} />
      <Lines form={form} about="dataLocation" help="Countries, and cities where you know them." />
      <Lines form={form} about="retention" />
      <Rows
        form={form}
        about="subProcessors"
        one="sub-processor"
        columns={subProcessor}
        empty={{ name: '', country: '', purpose: '' }}
        fault="Please give each sub-processor a name, a country and a purpose"
      >
        {(rows) =>
          rows === 0 && (
            <Checkbox
              label="No other company gets the data"
              checked={none}
              onChange={(event) => setNone(event.target.checked)}
            />
          )
        }
      </Rows>
      <Choice form={form} about="training" labels={trainingLabels} />
      <Field label="More about training" required={false} error={form.errorOf('trainingDetails')}>
        <Input {...form.register('trainingDetails')} />
      </Field>
      <Choice form={form} about="humanReview" labels={humanReviewLabels} />
    </Part>
    <Part title="How far to trust it">
      <Lines form={form} about="limits" help="What it gets wrong, or is not made for." />
      <Lines form={form} about="accuracyTests" help="What is tested, how often, and how it came out." />
      <Choice form={form} about="accessibility" labels={accessibilityLabels} />
    </Part>
    <Part title="When something happens">
      <Count form={form} about="changeDays" unit="days" />
      <Count form={form} about="incidentHours" unit="hours" />
      <Lines form={form} about="exit" />
      <Line form={form} about="insurance" help="Kind and amount, such as professional indemnity, $5 million." />
      <Rows
        form={form}
        about="certificates"
        one="certificate"
        columns={certificate}
        empty={{ name: '', evidenceUrl: '', expiresOn: null }}
        fault="Please give each certificate a name and an https:// address of its evidence"
      />
      <Line form={form} about="reviewedOn" type="date" />
    </Part>
  </>
);
