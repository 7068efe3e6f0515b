import type { Bookkeeper } from '#shared/api/books.ts';
import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { type Payer, payerArgs, useWhose } from '#client/lib/money/payer.tsx';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge, Button, Panel } from '#client/ui/elements.tsx';
import { Form, TextField } from '#client/ui/form.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

/** The second address for receipts and tax invoices. */
export const BookkeeperCard = ({ teamId }: Payer) => {
  const bookkeeper = useApiQuery(contract.books.bookkeeper, { query: payerArgs({ teamId }) });
  const [isAsking, ask] = useState(false);
  return (
    <Panel
      title="Bookkeeper"
      description={`Gets each receipt and tax invoice for ${useWhose({ teamId })} tools`}
      action={
        bookkeeper.data === null && (
          <Button
            variant="secondary"
            size="sm"
            aria-label="Add bookkeeper"
            aria-expanded={isAsking}
            onClick={() => ask(!isAsking)}
          >
            Add
          </Button>
        )
      }
    >
      <QueryView
        query={bookkeeper}
        failedTitle="Your bookkeeper’s address could not be loaded"
        loading={<Loading label="Loading your bookkeeper’s address" skeletons={['h-10']} />}
      >
        {(found) =>
          found ? (
            <Address bookkeeper={found} teamId={teamId} />
          ) : isAsking ? (
            <Ask teamId={teamId} onDone={() => ask(false)} />
          ) : (
            <p className="text-muted">None added yet.</p>
          )
        }
      </QueryView>
    </Panel>
  );
};

const sent = (email: string) =>
  toast({ title: 'Confirmation Sent', description: `Copies begin once ${email} is confirmed.` });

const Ask = ({ teamId, onDone }: Payer & { onDone: () => void }) => {
  const form = useApiForm({
    schema: contract.books.askBookkeeper.body.pick({ email: true }),
    defaultValues: { email: '' },
    send: ({ email }) => api.books.askBookkeeper({ body: { email, ...payerArgs({ teamId }) } }),
    onDone: ({ email }) => {
      sent(email);
      onDone();
    },
    failure: 'Failed to send the confirmation. Please try again.',
  });
  return (
    <Form form={form} label="Bookkeeper" className="max-w-prose">
      <TextField
        form={form}
        name="email"
        type="email"
        label="Email address"
        autoComplete="off"
        help="Gets each tax invoice as a PDF, and a statement each July. We ask the address to confirm first."
      />
      <Button type="submit" className="mt-2" variant="secondary" pending={form.pending} pendingLabel="Sending…">
        Send confirmation
      </Button>
    </Form>
  );
};

const Address = ({ bookkeeper: { email, askedAt, confirmedAt }, teamId }: Payer & { bookkeeper: Bookkeeper }) => {
  const again = useApiMutation(contract.books.askBookkeeper, { onSuccess: () => sent(email) });
  const remove = useApiMutation(contract.books.removeBookkeeper);
  const payer = payerArgs({ teamId });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-words">{email}</span>
          {!confirmedAt && <Badge tone="warning">Not confirmed yet</Badge>}
        </p>
        <p className="text-muted">
          {confirmedAt
            ? `Gets every receipt and tax invoice paid from ${formatDay(askedAt)} on.`
            : 'We have emailed it a link that works for seven days. We send nothing else there until it is confirmed.'}
        </p>
      </div>
      {!confirmedAt && (
        <Button
          variant="secondary"
          size="sm"
          pending={again.isPending}
          pendingLabel="Sending…"
          onClick={() => again.mutate({ body: { email, ...payer } })}
        >
          Send it again
        </Button>
      )}
      <Button
        variant="secondary"
        size="sm"
        pending={remove.isPending}
        pendingLabel="Removing…"
        onClick={() => remove.mutate({ body: payer })}
      >
        Remove
      </Button>
    </div>
  );
};
