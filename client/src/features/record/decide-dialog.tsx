import { contract } from '#shared/api/members.ts';
import type { InventoryTool } from '#shared/api/recorded.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Form, FormFooter, TextField } from '#client/ui/form.tsx';

type Props = { teamId: string; tool: InventoryTool; open: boolean; onClose: () => void };

const DecideForm = ({ teamId, tool, onClose }: Props) => {
  const form = useApiForm({
    schema: contract.record.decide.body,
    defaultValues: { allowed: false, reason: tool.reason ?? '' },
    send: (body) => api.record.decide({ params: { teamId, toolId: tool.toolId }, body }),
    onDone: () => {
      toast({ title: `${tool.toolName} is not allowed`, description: 'Everyone in the practice is told why.' });
      onClose();
    },
    failure: 'The decision could not be saved. Please try again.',
  });
  return (
    <Form form={form} label="Do not allow">
      <TextField
        form={form}
        name="reason"
        label="Reason"
        optional
        help="Everyone gets it by email and sees it on the tool’s card."
      />
      <FormFooter form={form} onCancel={onClose} variant="danger" pendingLabel="Saving…">
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
      onClose={props.onClose}
      title={`Don’t allow ${props.tool.toolName}?`}
      description="Everyone in the practice loses access now, and running sessions end. You’ll keep paying until you cancel the subscription."
    >
      <DecideForm {...props} />
    </Dialog>
  );
}
