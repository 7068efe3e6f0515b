import { contract } from '#shared/api/members.ts';
import { api } from '#client/lib/calls/api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Form, FormFooter, LongTextField } from '#client/ui/form.tsx';

type Props = {
  team: { id: string; name: string };
  tool: { id: string; name: string };
  open: boolean;
  onClose: () => void;
};

const AskForm = ({ team, tool, onClose }: Props) => {
  const form = useKeptForm({
    schema: contract.asks.ask.body,
    defaultValues: { toolId: tool.id, reason: '' },
    draft: `ask-${tool.id}`,
    send: (body) => api.asks.ask({ params: { teamId: team.id }, body }),
    onDone: () => {
      toast({ title: 'Question Sent', description: `We’ll tell you as soon as ${team.name} answers.` });
      onClose();
    },
    failure: 'Your question could not be sent. Please try again.',
  });
  return (
    <Form form={form} label={`Ask for ${tool.name}`}>
      <LongTextField form={form} name="reason" label="What do you need it for?" rows={3} />
      <FormFooter form={form} onCancel={onClose} pendingLabel="Sending…">
        Ask {team.name}
      </FormFooter>
    </Form>
  );
};

/** A member asks their practice for a tool. */
export default function AskDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={`Ask for ${props.tool.name}`}
      description={`The owner, the admins and the reviewers of ${props.team.name} get your reason, with what the tool would cost. Please leave clients’ names out.`}
    >
      <AskForm {...props} />
    </Dialog>
  );
}
