import { useState } from 'react';
import * as z from 'zod';
import { brand } from '#shared/brand.ts';
import { clientReferenceOrNone, remark } from '#shared/api/fields.ts';
import { contract } from '#shared/api/members.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { minute, plus } from '#shared/rules/dates.ts';
import { purposes } from '#shared/rules/record/record.ts';
import { onList } from '#client/features/record/checks.tsx';
import { ReviewFields } from '#client/features/record/review-fields.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field, Select } from '#client/ui/field.tsx';
import { Form, FormFooter, TextField } from '#client/ui/form.tsx';

type Tools = Reply<typeof contract.record.outside>;
type Props = { tools: Tools; open: boolean; onClose: () => void };

const schema = z.object({
  toolId: z.string(),
  usedAt: z.string().min(1, { error: 'Please say when it was' }),
  purpose: z.enum(['', ...purposes]).pipe(z.enum(purposes, { error: 'Please choose a purpose' })),
  clientReference: clientReferenceOrNone,
  answer: z.enum(['', 'yes', 'no']).pipe(z.enum(['yes', 'no'], { error: 'Please say whether you checked the output' })),
  checks: z.array(z.string()),
  remark,
});

/** As an input of the browser writes it: `2026-11-26T14:05`, in the reader's time. */
const localInput = (at: Date) =>
  plus(at, -at.getTimezoneOffset() * minute)
    .toISOString()
    .slice(0, 16);

const ByHandForm = ({ tools, onClose }: Pick<Props, 'tools' | 'onClose'>) => {
  const [id] = useState(() => crypto.randomUUID());
  const [now] = useState(() => localInput(businessNow()));
  const checkListOf = (toolId: string) => tools.find((one) => one.toolId === toolId)?.checkList ?? [];
  const form = useKeptForm({
    schema,
    draft: 'by-hand',
    defaultValues: {
      toolId: tools[0]!.toolId,
      usedAt: now,
      answer: '',
      checks: [],
      purpose: '',
      clientReference: '',
      remark: '',
    },
    send: ({ usedAt, answer, checks, ...session }) =>
      api.record.recordByHand({
        body: {
          ...session,
          id,
          usedAt: new Date(usedAt),
          checked: answer === 'yes',
          ...(answer === 'yes' && { checks: onList(checks, checkListOf(session.toolId)) }),
        },
      }),
    onDone: () => {
      toast({ title: 'Added to the record' });
      onClose();
    },
    failure: 'The session could not be recorded. Please try again.',
  });
  const { register, errorOf, watch } = form;
  const tool = tools.find(({ toolId }) => toolId === watch('toolId'));
  return (
    <Form form={form} label="Session" className="space-y-1">
      <Field
        label="Tool"
        help={
          tool?.allowed ? `What may go in: ${tool.dataAllowed ?? 'not said'}` : 'Your practice doesn’t allow this tool.'
        }
        error={errorOf('toolId')}
      >
        <Select
          options={tools.map(({ toolId, toolName }) => ({ value: toolId, label: toolName }))}
          {...register('toolId')}
        />
      </Field>
      <TextField form={form} name="usedAt" label="When" type="datetime-local" max={now} />
      <ReviewFields
        form={form}
        checkList={checkListOf(watch('toolId'))}
        unanswered="Choose an answer"
        noPurpose="Choose a purpose"
      />
      <FormFooter form={form} onCancel={onClose} pendingLabel="Adding…">
        Add to the record
      </FormFooter>
    </Form>
  );
};

/** Records a session with a tool from elsewhere. */
export default function ByHandDialog({ tools, open, onClose }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="lg"
      title="Record a session by hand"
      description={`With an AI tool that your practice uses outside ${brand.name}.`}
    >
      {open && <ByHandForm tools={tools} onClose={onClose} />}
    </Dialog>
  );
}
