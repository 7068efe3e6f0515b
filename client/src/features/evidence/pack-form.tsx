import { contract } from '#shared/api/members.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { payerArgs } from '#client/lib/money/payer.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Field, Form, Input, Select, TextField } from '#client/ui/form.tsx';

/** Asks for a pack; a field left empty narrows nothing. */
export const PackForm = ({ teamId }: { teamId: string | undefined }) => {
  const choices = useApiQuery(contract.evidence.choices, { query: payerArgs({ teamId }) }).data;
  const form = useApiForm({
    schema: contract.evidence.ask.body,
    defaultValues: { ...payerArgs({ teamId }), adviserId: '', toolId: '', clientReference: '', fromDay: '', toDay: '' },
    send: (body) => api.evidence.ask({ body }),
    onDone: () => toast({ title: 'Your evidence pack is being made', description: 'It appears in the list.' }),
    failure: null,
  });
  const { register, errorOf, pending } = form;
  const options = (list: { id: string; name: string }[] = []) =>
    list.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Form form={form} label="Make an evidence pack">
      {teamId && (
        <Field label="Adviser" optional error={errorOf('adviserId')}>
          <Select placeholder="Everybody" options={options(choices?.advisers)} {...register('adviserId')} />
        </Field>
      )}
      <Field label="Tool" optional error={errorOf('toolId')}>
        <Select placeholder="All tools" options={options(choices?.tools)} {...register('toolId')} />
      </Field>
      <Field
        label="Client reference"
        optional
        help="Exactly as it stands in the register."
        error={errorOf('clientReference')}
      >
        <Input autoComplete="off" {...register('clientReference')} />
      </Field>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <TextField form={form} name="fromDay" label="First day" optional type="date" />
        <TextField form={form} name="toDay" label="Last day" optional type="date" />
      </div>
      <Button type="submit" className="mt-2" pending={pending} pendingLabel="Asking…">
        Make evidence pack
      </Button>
    </Form>
  );
};
