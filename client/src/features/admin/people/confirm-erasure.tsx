import { useState } from 'react';
import type { Incident } from '#shared/api/oversight.ts';
import { contract } from '#shared/api/index.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { Input, Textarea } from '#client/ui/input.tsx';

const ConfirmForm = ({ incident, onDone }: { incident: Incident; onDone: () => void }) => {
  const form = useApiForm({
    schema: contract.oversight.confirmErasure.body,
    defaultValues: { erasedOn: sydneyDate(businessNow()), reason: '' },
    send: (body) => api.oversight.confirmErasure({ params: { id: incident.id }, body }),
    onDone: ({ message }) => {
      onDone();
      toast({ title: message });
    },
    failure: somethingWentWrong,
  });
  return (
    <Form form={form} label="Confirm the erasure">
      <Field label="Erased on" error={form.errorOf('erasedOn')}>
        <Input type="date" max={sydneyDate(businessNow())} {...form.register('erasedOn')} />
      </Field>
      <Field label="How you know" help="It stays in the audit log." error={form.errorOf('reason')}>
        <Textarea rows={3} {...form.register('reason')} />
      </Field>
      <FormFooter form={form} onCancel={onDone} pendingLabel="Confirming…">
        Confirm the erasure
      </FormFooter>
    </Form>
  );
};

/** For a tool that can't confirm an erasure itself. */
export const ConfirmErasure = ({ incident }: { incident: Incident }) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
        Confirm the erasure…
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Confirm the erasure?"
        description="For a tool that told us outside the product that it erased the person, or that holds nothing of them. This ends the incident."
      >
        <ConfirmForm incident={incident} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
};
