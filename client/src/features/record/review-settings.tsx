import { multiline } from '#shared/api/fields.ts';
import { contract } from '#shared/api/members.ts';
import type { ReviewRules } from '#shared/api/recorded.ts';
import { longestCheck, mostChecks } from '#shared/rules/record/record.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Button, Panel } from '#client/ui/elements.tsx';
import { Field, Input } from '#client/ui/field.tsx';
import { Form, LongTextField } from '#client/ui/form.tsx';

const schema = contract.record.setRules.body.extend({ checks: multiline(mostChecks * (longestCheck + 1)) });

const RulesForm = ({ teamId, rules }: { teamId: string; rules: ReviewRules }) => {
  const form = useApiForm({
    schema,
    defaultValues: { ...rules, checks: rules.checks.join('\n') },
    send: ({ checks, ...body }) =>
      api.record.setRules({
        params: { teamId },
        body: { ...body, checks: checks.split('\n').flatMap((one) => one.trim() || []) },
      }),
    onDone: () => toast({ title: 'Rules saved' }),
    failure: 'The rules could not be saved. Please try again.',
  });
  const { register, errorOf } = form;
  return (
    <Form form={form} label="Rules of the record" className="max-w-form space-y-3">
      <Field label="Days until a review is late" error={errorOf('lateAfterDays')}>
        <Input inputMode="numeric" {...register('lateAfterDays', { valueAsNumber: true })} />
      </Field>
      <Checkbox label="Refuse late reviews, and those of people who have left" {...register('refusesLate')} />
      <Checkbox
        label="Remind everybody each week; the owner, the admins and the reviewers get a summary"
        {...register('remindsWeekly')}
      />
      <Checkbox
        label="Open the practice’s tools for a client only: each launch needs a file number and a purpose"
        {...register('needsClient')}
      />
      <LongTextField
        form={form}
        name="checks"
        label="What advisers can tick as checked"
        optional
        rows={4}
        help="One per line. Earlier reviews keep their wording."
      />
      <Button type="submit" pending={form.pending} pendingLabel="Saving…">
        Save
      </Button>
    </Form>
  );
};

/** What the practice asks of reviews of sessions; its owner sets it. */
export const ReviewSettings = ({
  teamId,
  rules,
  manages,
}: {
  teamId: string;
  rules: ReviewRules | undefined;
  manages: boolean;
}) =>
  rules && (
    <Panel
      title="Rules"
      description={`A review is marked as late ${rules.lateAfterDays} days after its session${rules.refusesLate ? ', and then refused' : ''}.${rules.needsClient ? ' The practice’s tools open for a client only, with a file number and a purpose.' : ''}`}
    >
      {manages && <RulesForm teamId={teamId} rules={rules} />}
    </Panel>
  );
