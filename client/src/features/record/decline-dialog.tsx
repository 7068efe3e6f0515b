import type { OpenAsk } from '#shared/api/asks.ts';
import { contract } from '#shared/api/members.ts';
import { personName } from '#client/features/record/session-list.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Form, FormFooter, TextField } from '#client/ui/form.tsx';

type Props = { ask: OpenAsk; open: boolean; onClose: () => void };

const DeclineForm = ({ ask, onClose }: Props) => {
  const { id, teamId, toolName } = ask;
  const form = useApiForm({
    schema: contract.asks.answer.body,
    defaultValues: { outcome: 'declined', answer: '' },
    send: (body) => api.asks.answer({ params: { teamId, id }, body }),
    onDone: () => {
      toast({ title: `${toolName} was declined`, description: `${personName(ask)} is told why.` });
      onClose();
    },
    failure: 'The answer could not be saved. Please try again.',
  });
  return (
    <Form form={form} label="Decline">
      <TextField
        form={form}
        name="answer"
        label="Reason"
        help="We email it to whoever asked, and the tool’s card shows it."
      />
      <FormFooter form={form} onCancel={onClose} pendingLabel="Saving…">
        Decline
      </FormFooter>
    </Form>
  );
};

export default function DeclineDialog(props: Props) {
  return (
    <Dialog open={props.open} onClose={props.onClose} title={`Decline ${props.ask.toolName}?`}>
      <DeclineForm {...props} />
    </Dialog>
  );
}
