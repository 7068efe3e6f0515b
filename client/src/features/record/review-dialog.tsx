import * as z from 'zod';
import { multiline } from '#shared/api/fields.ts';
import type { InventoryTool } from '#shared/api/record.ts';
import { formatCalendarDay } from '#shared/rules/dates.ts';
import { longestRemark } from '#shared/rules/record/record.ts';
import { personName } from '#client/features/record/words.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { dotted, formatDay } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { Input, Textarea } from '#client/ui/input.tsx';

type Props = { teamId: string; tool: InventoryTool; open: boolean; onOpenChange: (open: boolean) => void };

const schema = z.object({
  remark: multiline(longestRemark).min(1, { error: 'Please say what you found' }),
  nextDue: z.union([z.literal(''), z.iso.date()]),
});

const ReviewForm = ({ teamId, tool, onOpenChange }: Props) => {
  const form = useApiForm({
    schema,
    defaultValues: { remark: '', nextDue: '' },
    draft: `review-${teamId}-${tool.toolId}`,
    send: ({ remark, nextDue }) =>
      api.record.review({ params: { teamId, toolId: tool.toolId }, body: { remark, nextDue: nextDue || null } }),
    onDone: () => {
      toast({ title: 'Review recorded' });
      onOpenChange(false);
    },
    failure: 'The review could not be recorded. Please try again.',
  });
  const { register, errorOf } = form;
  return (
    <Form form={form} label="Record a review">
      <Field label="What you found" error={errorOf('remark')}>
        <Textarea rows={3} {...register('remark')} />
      </Field>
      <Field label="Next review due" optional error={errorOf('nextDue')}>
        <Input type="date" {...register('nextDue')} />
      </Field>
      <FormFooter form={form} onCancel={() => onOpenChange(false)} pendingLabel="Recording…">
        Record the review
      </FormFooter>
    </Form>
  );
};

/** The practice's reviews of a tool, and a form for the next one. */
export default function ReviewDialog(props: Props) {
  const { tool, open, onOpenChange } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={`Reviews of ${tool.toolName}`}
      description="Reviews stay as they were recorded. Whoever owns the team is told on the day the next one is due."
    >
      <ReviewForm {...props} />
      {tool.reviews.length > 0 && (
        <ol aria-label="Earlier reviews" className="mt-4 divide-y border-y text-sm">
          {tool.reviews.map((review) => (
            <li key={review.id} className="py-2">
              <p className="break-words whitespace-pre-line">{review.remark}</p>
              <p className="text-xs text-muted">
                {dotted([
                  `${personName(review)}, ${formatDay(review.madeAt)}`,
                  review.disclosureVersion
                    ? `maker's answers, version ${review.disclosureVersion}`
                    : 'the maker had stated nothing',
                  review.nextDue && `next due ${formatCalendarDay(review.nextDue)}`,
                ])}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  );
}
