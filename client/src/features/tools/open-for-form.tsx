import { ArrowUpRight } from 'lucide-react';
import * as z from 'zod';
import { clientReferenceOrNone } from '#shared/api/fields.ts';
import { contract } from '#shared/api/members.ts';
import type { Tool } from '#shared/api/tools.ts';
import { purposeLabels, purposes } from '#shared/rules/record/record.ts';
import type { Launching } from '#client/features/tools/use-launch.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Button } from '#client/ui/elements.tsx';
import { Field, Select } from '#client/ui/field.tsx';
import { Form, FormFooter, TextField } from '#client/ui/form.tsx';

const purpose = z.enum(['', ...purposes]);
const optional = z.object({ clientReference: clientReferenceOrNone, purpose });
const required = z.object({
  clientReference: clientReferenceOrNone.refine((text) => text !== '', { error: 'Please enter your file number' }),
  purpose: purpose.refine((value) => value !== '', { error: 'Please choose a purpose' }),
});

type Props = {
  tool: Tool;
  launching: Launching;
  /** Filled in, as a link said it. */
  given?: { clientReference: string; purpose: string };
  onDone: () => void;
  onCancel?: () => void;
};

/** Asks for which file and for what a tool is opened; one press opens it. */
export const OpenForForm = ({ tool, launching, given, onDone, onCancel }: Props) => {
  const needed = launching.needsClient(tool.id);
  const recent = useFreshQuery(contract.record.recentClients).data ?? [];
  const form = useApiForm({
    schema: needed ? required : optional,
    defaultValues: { clientReference: given?.clientReference ?? '', purpose: purpose.catch('').parse(given?.purpose) },
    send: ({ clientReference, purpose: chosen }) =>
      launching.open(tool, {
        ...(clientReference !== '' && { clientReference }),
        ...(chosen !== '' && { purpose: chosen }),
      }),
    onDone: (opened) => opened && onDone(),
    failure: null,
  });
  const { register, errorOf, setValue } = form;
  const opening = (
    <>
      Open {tool.name}
      <ArrowUpRight aria-hidden />
    </>
  );
  return (
    <Form form={form} label={`Open ${tool.name} for a client`} className="space-y-1">
      <TextField
        form={form}
        name="clientReference"
        label="Your file number for the client"
        optional={!needed}
        help="Such as F-10234. Never a name."
      />
      {recent.length > 0 && (
        <div role="group" aria-label="Recent file numbers" className="flex flex-wrap items-center gap-1.5 pb-3">
          <span className="text-xs text-muted">Recent:</span>
          {recent.map((one) => (
            <Button
              key={one.clientReference}
              variant="secondary"
              size="sm"
              className="figures"
              onClick={() => {
                setValue('clientReference', one.clientReference, { shouldValidate: true });
                if (one.purpose) setValue('purpose', one.purpose, { shouldValidate: true });
              }}
            >
              {one.clientReference}
            </Button>
          ))}
        </div>
      )}
      <Field label="Purpose" optional={!needed} error={errorOf('purpose')}>
        <Select
          options={[
            { value: '', label: needed ? 'Choose a purpose' : 'Not given' },
            ...purposes.map((value) => ({ value, label: purposeLabels[value] })),
          ]}
          {...register('purpose')}
        />
      </Field>
      {onCancel ? (
        <FormFooter form={form} onCancel={onCancel} pendingLabel="Opening…">
          {opening}
        </FormFooter>
      ) : (
        <Button type="submit" className="mt-2 max-sm:h-11 max-sm:w-full" pending={form.pending} pendingLabel="Opening…">
          {opening}
        </Button>
      )}
    </Form>
  );
};

type DialogProps = { open: boolean; tool: Tool | null; launching: Launching; onClose: () => void };

/** The form in a dialog, for the dashboard and the palette. */
export default function OpenForDialog({ open, tool, launching, onClose }: DialogProps) {
  return (
    tool && (
      <Dialog
        open={open}
        onClose={onClose}
        title={`Open ${tool.name} for a client`}
        description="The tool receives the file number and the purpose. Both go into the record of AI use."
      >
        <OpenForForm key={tool.id} tool={tool} launching={launching} onDone={onClose} onCancel={onClose} />
      </Dialog>
    )
  );
}
