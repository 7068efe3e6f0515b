import { useState } from 'react';
import { useLocation } from 'wouter';
import { blankSettings, ToolFields, typedSettings } from '#client/features/admin/catalogue/tool-fields.tsx';
import { typedPrice } from '#client/features/admin/catalogue/typed-price.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { Input, Textarea } from '#client/ui/input.tsx';

const typed = typedSettings.extend({ price: typedPrice });

const NewTool = ({ onClose }: { onClose: () => void }) => {
  const [, go] = useLocation();
  const form = useApiForm({
    schema: typed,
    defaultValues: { ...blankSettings, price: '' },
    draft: 'add-tool',
    send: ({ price: priceCents, ...settings }) => api.catalogue.addTool({ body: { ...settings, priceCents } }),
    onDone: ({ id }, { name }) => {
      onClose();
      toast({ title: 'Tool added', description: `${name} is coming soon. Make its secret, then open it.` });
      go(paths.adminTool(id));
    },
    failure: somethingWentWrong,
  });
  const { register, errorOf } = form;
  return (
    <Form form={form} label="Add a tool" className="space-y-2">
      <ToolFields form={form} look={{ icon: form.watch('icon'), name: form.watch('name') }} />
      <Field label="Price a month, in dollars with GST" error={errorOf('price')}>
        <Input inputMode="decimal" {...register('price')} />
      </Field>
      <Field label="Reason" help="It stays in the history." error={errorOf('reason')}>
        <Textarea rows={2} {...register('reason')} />
      </Field>
      <FormFooter form={form} onCancel={onClose} pendingLabel="Adding…">
        Add tool
      </FormFooter>
    </Form>
  );
};

/** Adds a tool of our own. */
export const AddTool = () => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
        Add a tool…
      </Button>
      <Dialog
        size="lg"
        open={open}
        onOpenChange={setOpen}
        title="Add a tool"
        description="It is listed as coming soon at once. Make its secret on its page, then open it."
      >
        {open && <NewTool onClose={() => setOpen(false)} />}
      </Dialog>
    </>
  );
};
