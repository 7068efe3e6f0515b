import { useState } from 'react';
import type { Incident } from '#shared/api/oversight.ts';
import { contract } from '#shared/api/index.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { Textarea } from '#client/ui/input.tsx';

const SettleForm = ({ incident, onDone }: { incident: Incident; onDone: () => void }) => {
  const form = useApiForm({
    schema: contract.oversight.settle.body,
    defaultValues: { reason: '' },
    send: (body) => api.oversight.settle({ params: { id: incident.id }, body }),
    onDone: ({ message }) => {
      onDone();
      toast({ title: message });
    },
    failure: somethingWentWrong,
  });
  return (
    <Form form={form} label="Mark as settled">
      <Field label="What was done" help="It stays in the audit log." error={form.errorOf('reason')}>
        <Textarea rows={3} {...form.register('reason')} />
      </Field>
      <FormFooter form={form} onCancel={onDone} pendingLabel="Settling…">
        Mark as settled
      </FormFooter>
    </Form>
  );
};

/** For an incident that trying again can't fix. */
export const SettleIncident = ({ incident }: { incident: Incident }) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Mark as settled: ${incident.title}`}
        onClick={() => setOpen(true)}
      >
        Mark as settled…
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Mark as settled?" description={incident.nextStep}>
        <SettleForm incident={incident} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
};
