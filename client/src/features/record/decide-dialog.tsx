import { contract } from '#shared/api/members.ts';
import type { InventoryTool } from '#shared/api/record.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { Input } from '#client/ui/input.tsx';

type Props = { teamId: string; tool: InventoryTool; open: boolean; onOpenChange: (open: boolean) => void };

const DecideForm = ({ teamId, tool, onOpenChange }: Props) => {
  const form = useApiForm({
    schema: contract.record.decide.body,
    defaultValues: { allowed: false, reason: tool.reason ?? '' },
    send: (body) => api.record.decide({ params: { teamId, toolId: tool.toolId }, body }),
    onDone: () => {
      toast({ title: `${tool.toolName} is not allowed`, description: 'Members see why on their dashboard.' });
      onOpenChange(false);
    },
    failure: 'The decision could not be saved. Please try again.',
  });
  return (
    <Form form={form} label="Do not allow">
      <Field label="Reason" optional help="Members see it on the tool's card." error={form.errorOf('reason')}>
        <Input {...form.register('reason')} />
      </Field>
      <FormFooter form={form} onCancel={() => onOpenChange(false)} variant="danger" pendingLabel="Saving…">
        Don’t allow {tool.toolName}
      </FormFooter>
    </Form>
  );
};

/** Members can't open or buy the tool from now on, and are told the reason. */
export default function DecideDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={`Don’t allow ${props.tool.toolName}?`}
      description="Nobody in the practice can open or buy it from now on, and sessions end. Subscriptions go on, and are charged, until somebody cancels them."
    >
      <DecideForm {...props} />
    </Dialog>
  );
}
