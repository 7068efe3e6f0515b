import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { type Person, PersonPicker } from '#client/features/admin/people/person-picker.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';

/** For a person who has lost their second factor and their recovery codes. */
export const ResetFactorsForm = () => {
  const [person, setPerson] = useState<Person | null>(null);
  const form = useApiForm({
    schema: contract.admin.resetFactors.body,
    defaultValues: { userId: '' },
    send: (body) => api.admin.resetFactors({ body }),
    onDone: ({ message }) => {
      toast({ title: 'Reset Requested', description: message });
      setPerson(null);
      form.reset();
    },
    failure: somethingWentWrong,
  });
  return (
    <Panel
      title="Reset second factor"
      description="For a user who lost their second factor and their recovery codes. It takes effect in 24 hours; they are told, and can stop it."
    >
      <Form form={form} label="Reset second factor" className="max-w-form" autoComplete="off">
        <Field label="User without their second factor" error={form.errorOf('userId')}>
          <PersonPicker
            value={person}
            onChange={(next) => {
              setPerson(next);
              form.setValue('userId', next?.id ?? '', { shouldDirty: true });
              if (next) void form.trigger('userId');
            }}
          />
        </Field>
        <Button type="submit" className="mt-2" pending={form.pending} pendingLabel="Requesting…">
          Reset Second Factor
        </Button>
      </Form>
    </Panel>
  );
};
