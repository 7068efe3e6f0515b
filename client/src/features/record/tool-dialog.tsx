import * as z from 'zod';
import { brand } from '#shared/brand.ts';
import { id, line, requiredLine } from '#shared/api/fields.ts';
import type { InventoryTool } from '#shared/api/recorded.ts';
import { contract } from '#shared/api/members.ts';
import { longestReason, longestToolName } from '#shared/rules/record/record.ts';
import { personName } from '#client/features/record/session-list.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field, Select } from '#client/ui/field.tsx';
import { Form, FormFooter, TextField } from '#client/ui/form.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

/** Without a tool, the next one from elsewhere is listed. */
type Props = { teamId: string; tool: InventoryTool | null; open: boolean; onClose: () => void };
type Choice = { value: string; label: string };

const schema = z.object({
  name: requiredLine(longestToolName, 'Please name the tool'),
  usedFor: line(longestReason),
  dataAllowed: line(longestReason),
  accountableId: z.union([z.literal(''), id]),
  reviewDue: z.union([z.literal(''), z.iso.date()]),
});

const ToolForm = ({ teamId, tool, onClose, people }: Props & { people: Choice[] }) => {
  const form = useApiForm({
    schema,
    defaultValues: {
      name: tool?.toolName ?? '',
      usedFor: tool?.usedFor ?? '',
      dataAllowed: tool?.dataAllowed ?? '',
      accountableId: tool?.accountable?.userId ?? '',
      reviewDue: tool?.reviewDue ?? '',
    },
    send: (all, { accountableId, reviewDue, ...changed }) =>
      tool
        ? api.record.decide({
            params: { teamId, toolId: tool.toolId },
            body: {
              ...changed,
              ...(accountableId !== undefined && { accountableId: accountableId || null }),
              ...(reviewDue !== undefined && { reviewDue: reviewDue || null }),
            },
          })
        : api.record.addTool({ params: { teamId }, body: { ...all, reviewDue: all.reviewDue || null } }),
    onDone: (_inventory, { name }) => {
      toast({ title: tool ? `${name} saved` : `${name} listed` });
      onClose();
    },
    failure: 'The tool could not be saved. Please try again.',
  });
  const isOurs = tool !== null && !tool.outside;
  return (
    <Form form={form} label="Tool">
      {!isOurs && <TextField form={form} name="name" label="Name" help="For example, “ChatGPT Team”." />}
      <TextField form={form} name="usedFor" label="What it is used for" optional={isOurs} />
      <TextField
        form={form}
        name="dataAllowed"
        label="Which data may go in"
        optional={isOurs}
        help="For example, “File notes without names”. Members see it when they record a session."
      />
      <Field label="Responsible" optional={isOurs} error={form.errorOf('accountableId')}>
        <Select placeholder="Nobody yet" options={people} {...form.register('accountableId')} />
      </Field>
      <TextField form={form} name="reviewDue" label="Next review due" optional type="date" />
      <FormFooter form={form} onCancel={onClose} pendingLabel="Saving…">
        {tool ? 'Save' : 'Add the tool'}
      </FormFooter>
    </Form>
  );
};

/** What the practice says of a tool: what it is for, which data may go in, and who answers for it. */
export default function ToolDialog(props: Props) {
  const { teamId, tool, open, onClose } = props;
  const members = useApiQuery(contract.teams.members, { params: { teamId } });
  const former = tool?.accountable?.isMember === false ? [tool.accountable] : [];
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="lg"
      title={tool?.toolName ?? 'Add another AI tool'}
      description={
        tool
          ? 'The practice’s evidence packs include these details.'
          : `A tool that the practice uses outside ${brand.name}. Advisers record their sessions with it by hand, and everybody is told that it is allowed.`
      }
    >
      {open && (
        <QueryView
          query={members}
          failedTitle="The members could not be loaded"
          loading={<Loading label="Loading the members" skeletons={['h-14', 'h-14', 'h-14']} />}
        >
          {(loaded) => (
            <ToolForm
              {...props}
              people={[
                ...loaded.map(({ userId, user }) => ({ value: userId, label: personName(user) })),
                ...former.map((who) => ({ value: who.userId, label: `${personName(who)} (has left)` })),
              ]}
            />
          )}
        </QueryView>
      )}
    </Dialog>
  );
}
