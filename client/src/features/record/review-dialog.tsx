import * as z from 'zod';
import { multiline } from '#shared/api/fields.ts';
import type { InventoryTool } from '#shared/api/recorded.ts';
import { formatCalendarDay, formatSydneyDate } from '#shared/rules/dates.ts';
import { longestRemark } from '#shared/rules/record/record.ts';
import { Words } from '#client/features/record/redaction.tsx';
import { personName } from '#client/features/record/session-list.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { dotted } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Form, FormFooter, LongTextField, TextField } from '#client/ui/form.tsx';

type Props = { teamId: string; tool: InventoryTool; redacts: boolean; open: boolean; onClose: () => void };

const schema = z.object({
  remark: multiline(longestRemark).min(1, { error: 'Please say what you found' }),
  nextDue: z.union([z.literal(''), z.iso.date()]),
});

const ReviewForm = ({ teamId, tool, onClose }: Omit<Props, 'redacts'>) => {
  const form = useKeptForm({
    schema,
    defaultValues: { remark: '', nextDue: '' },
    draft: `review-${teamId}-${tool.toolId}`,
    send: ({ remark, nextDue }) =>
      api.record.review({ params: { teamId, toolId: tool.toolId }, body: { remark, nextDue: nextDue || null } }),
    onDone: () => {
      toast({ title: 'Review recorded' });
      onClose();
    },
    failure: 'The review could not be recorded. Please try again.',
  });
  return (
    <Form form={form} label="Record a review">
      <LongTextField form={form} name="remark" label="What you found" rows={3} />
      <TextField form={form} name="nextDue" label="Next review due" optional type="date" />
      <FormFooter form={form} onCancel={onClose} pendingLabel="Recording…">
        Record the review
      </FormFooter>
    </Form>
  );
};

/** The practice's reviews of a tool, and a form for the next one. */
export default function ReviewDialog(props: Props) {
  const { teamId, tool, redacts, open, onClose } = props;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="lg"
      title={`Reviews of ${tool.toolName}`}
      description="Reviews stay as they were recorded. We tell the owner, the admins and the reviewers on the day the next one is due."
    >
      <ReviewForm {...props} />
      {tool.reviews.length > 0 && (
        <>
          <h3 className="mt-4 mb-2 text-sm font-semibold">Earlier reviews</h3>
          <ol className="divide-y border-y text-sm">
            {tool.reviews.map((review) => (
              <li key={review.id} className="py-2">
                <Words
                  line={review}
                  teamId={redacts ? teamId : null}
                  made={dotted([
                    `${personName(review)}, ${formatSydneyDate(review.madeAt)}`,
                    review.disclosureVersion
                      ? `maker's answers, version ${review.disclosureVersion}`
                      : 'no supplier due diligence',
                    review.nextDue && `next due ${formatCalendarDay(review.nextDue)}`,
                  ])}
                />
              </li>
            ))}
          </ol>
        </>
      )}
    </Dialog>
  );
}
