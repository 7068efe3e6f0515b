import { contract } from '#shared/api/index.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { firstMessage } from '#client/features/admin/first-message.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Field, FieldError } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { Input, Textarea } from '#client/ui/input.tsx';

const asNumber = { valueAsNumber: true } as const;
const optional = { setValueAs: (value: string) => value || undefined } as const;

/** Makes a discount code, which can be ended but never changed. */
export const MakeCode = ({ onDone }: { onDone: () => void }) => {
  const tools = useApiQuery(contract.tools.list).data?.filter(({ id }) => id !== lostMoneyTool) ?? [];
  const today = sydneyDate(businessNow());
  const form = useApiForm({
    schema: contract.codes.make.body,
    defaultValues: {
      code: '',
      toolIds: null,
      lastDay: '',
      reason: '',
    },
    send: (body) => api.codes.make({ body }),
    onDone: ({ message }) => {
      onDone();
      toast({ title: 'Discount code made', description: message });
    },
    failure: somethingWentWrong,
  });
  const { register, errorOf, setValue } = form;
  const chosen = form.watch('toolIds');
  const choose = (toolIds: string[] | null) =>
    setValue('toolIds', toolIds, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  return (
    <Form form={form} label="Discount code" className="space-y-1">
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        <Field label="Code" help="3 to 20 letters and digits" error={errorOf('code')}>
          <Input autoComplete="off" spellCheck={false} className="uppercase" {...register('code')} />
        </Field>
        <Field label="Redemptions in all" help="Once for each payer and tool" error={errorOf('mostRedemptions')}>
          <Input type="number" {...register('mostRedemptions', asNumber)} />
        </Field>
        <Field label="Percent off" error={errorOf('percent')}>
          <Input type="number" {...register('percent', asNumber)} />
        </Field>
        <Field label="Monthly payments" help="After them the full price is charged" error={errorOf('months')}>
          <Input type="number" {...register('months', asNumber)} />
        </Field>
        <Field label="First day" optional help="Empty: from now on" error={errorOf('startsOn')}>
          <Input type="date" min={today} {...register('startsOn', optional)} />
        </Field>
        <Field label="Last day" help="In Sydney, until midnight" error={errorOf('lastDay')}>
          <Input type="date" min={today} {...register('lastDay')} />
        </Field>
      </div>
      <fieldset className="rounded border p-3">
        <legend className="px-1 text-sm font-medium">For which tools</legend>
        <Checkbox
          label="All tools"
          checked={chosen === null}
          onChange={(event) => choose(event.target.checked ? null : [])}
        />
        {chosen !== null && (
          <div className="mt-1 grid gap-x-4 border-t pt-1 sm:grid-cols-2">
            {tools.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={chosen.includes(id)}
                onChange={(event) =>
                  choose(event.target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                }
              />
            ))}
          </div>
        )}
        <FieldError error={firstMessage(form.formState.errors.toolIds)} />
      </fieldset>
      <Field label="Reason" help="It stays in the history." error={errorOf('reason')}>
        <Textarea rows={2} {...register('reason')} />
      </Field>
      <FormFooter form={form} onCancel={onDone} pendingLabel="Making…">
        Make code
      </FormFooter>
    </Form>
  );
};

export const EndCode = ({ codeId, onDone }: { codeId: string; onDone: () => void }) => {
  const form = useApiForm({
    schema: contract.codes.end.body,
    defaultValues: { reason: '' },
    send: (body) => api.codes.end({ params: { codeId }, body }),
    onDone: ({ message }) => {
      onDone();
      toast({ title: 'Discount code ended', description: message });
    },
    failure: somethingWentWrong,
  });
  return (
    <Form form={form} label="End the discount code">
      <Field label="Reason" help="It stays in the history." error={form.errorOf('reason')}>
        <Textarea rows={2} {...form.register('reason')} />
      </Field>
      <FormFooter form={form} onCancel={onDone} variant="danger" pendingLabel="Ending…">
        End code
      </FormFooter>
    </Form>
  );
};
