import { useState } from 'react';
import type { AdminUser } from '#shared/api/operators/admin-person.ts';
import { contract } from '#shared/api/index.ts';
import { cardName, formatCents } from '#shared/rules/billing/money.ts';
import { useApiMutation, useApiQuery, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { billDay } from '#client/lib/words/format.ts';
import { fullName } from '#client/lib/session/people.ts';
import { PriceChangeItems } from '#client/lib/money/price-changes.tsx';
import { toast } from '#client/lib/words/toast.ts';
import { ConfirmDialog } from '#client/ui/dialog.tsx';
import { Field, Input } from '#client/ui/field.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const granting = [
  'Every tool becomes free for this user. Paid subscriptions drop to $0.00 from the next bill, and new ones need no payment.',
  'Team purchases are not covered. The user is told by email, and you can revoke it at any time.',
];
const revoking = [
  'Where the user has a bill, their tools are on it at full price again, no sooner than 30 days from now. Where there is none, they go into a grace period of 7 days.',
  'The user is told by email. You can grant free access again at any time.',
];

/** What the user is charged next, and what the decision does to it. */
const Consequences = ({ user }: { user: AdminUser }) => {
  const forecast = useFreshQuery(contract.admin.userForecast, { params: { id: user.id } });
  return (
    <QueryView
      query={forecast}
      failedTitle="What this user pays could not be loaded"
      loading={<Loading label="Loading what this user pays" className="grid gap-2" skeletons={['h-5', 'h-5']} />}
    >
      {({ bill, card, changes, toStart }) => (
        <div className="rounded bg-surface-subtle p-3">
          <p className="figures font-medium">
            {bill
              ? `Next bill: ${formatCents(bill.totalCents)} on ${billDay(bill.at)}, ${card ? `to ${cardName(card)}` : 'no card on file'}.`
              : 'This user owes nothing.'}
          </p>
          {changes.length + toStart.length > 0 && (
            <ul className="mt-1 list-disc space-y-1 pl-5">
              <PriceChangeItems changes={changes} tools="this user’s tools" />
              {toStart.map(({ toolName, monthlyCents }) => (
                <li key={toolName} className="figures">
                  {toolName} goes into the grace period; the user keeps it by starting to pay{' '}
                  {formatCents(monthlyCents)} a month.
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </QueryView>
  );
};

export const FreeAccessDialog = ({ user, onClose }: { user: AdminUser; onClose: () => void }) => {
  const revoke = user.freeAccessGranted;
  const name = fullName(user);
  const [reason, setReason] = useState('');
  const { data } = useApiQuery(contract.approvals.list);
  const needsReason = !revoke && data?.fourEyes === true;
  const { mutate, isPending, error } = useApiMutation(
    revoke ? contract.admin.revokeFreeAccess : contract.admin.grantFreeAccess,
    {
      onSuccess: ({ message }) => {
        onClose();
        toast({ title: message, description: `${name} (${user.email})` });
      },
    },
  );
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`${revoke ? 'Revoke' : 'Grant'} free access?`}
      description={`${name} · ${user.email}`}
      keepLabel="Keep as it is"
      confirmLabel={revoke ? 'Revoke Free Access' : 'Grant Free Access'}
      pendingLabel={revoke ? 'Revoking…' : 'Granting…'}
      variant={revoke ? 'danger' : 'primary'}
      pending={isPending}
      onConfirm={() => mutate({ body: { userId: user.id, ...(needsReason && { reason }) } })}
    >
      <div className="space-y-2">
        <Consequences user={user} />
        {(revoke ? revoking : granting).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {needsReason && (
          <Field label="Reason" error={error?.fields['reason']}>
            <Input value={reason} onChange={(event) => setReason(event.target.value)} autoComplete="off" />
          </Field>
        )}
      </div>
    </ConfirmDialog>
  );
};
