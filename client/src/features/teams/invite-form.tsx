import { Check, Copy, Send } from 'lucide-react';
import { useRef, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { InviteMany } from '#client/features/teams/invite-many.tsx';
import { listedAddresses } from '#shared/rules/people/invitation-list.ts';
import { invitationsADay, rolesToInvite, takesSeat } from '#shared/rules/people/teams.ts';
import type { TeamInvitation } from '#shared/api/teams.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { BillLines, useBillWith } from '#client/features/teams/bill-with.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { api } from '#client/lib/calls/api.ts';
import { type ApiError, sentenceOf } from '#client/lib/calls/api-error.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { Alert, Badge, Button, Panel, Text } from '#client/ui/elements.tsx';
import { Field, Input, Select } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { fullName } from '#client/lib/session/people.ts';
import { seatsIn } from '#client/features/teams/member-list.tsx';
import { RoleBadge, roleLabels, roleRights } from '#client/features/teams/team-labels.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { ConfirmButton } from '#client/ui/dialog.tsx';
import { Row } from '#client/ui/list.tsx';

const inviteFault = (error: ApiError) =>
  error.code === 'rate_limited'
    ? `A practice can have ${invitationsADay} invitations sent a day. Please try again tomorrow.`
    : sentenceOf(error, 'Failed to send invitation.');

/** What one more member does to the bill, for the owner, who pays. */
const CostOfOneMore = ({ team, each = false }: { team: MyTeam['team']; each?: boolean }) => {
  const { lines } = useBillWith({ teamId: team.id, change: { joins: 'true' } });
  return (
    lines.length > 0 && (
      <p className="mt-2 text-xs text-muted">
        {each ? 'If one of them joins today:' : 'If they join today:'} <BillLines lines={lines} />
      </p>
    )
  );
};

export const InviteForm = ({ team, role }: MyTeam) => {
  const [sent, setSent] = useState<{ email: string; url: string }>();
  const [list, setList] = useState<string>();
  const members = useApiQuery(contract.teams.members, { params: { teamId: team.id } }).data;
  const form = useKeptForm({
    schema: contract.teams.invite.body,
    defaultValues: { email: '', role: 'member' },
    draft: `invite-${team.id}`,
    send: (body) => api.teams.invite({ params: { teamId: team.id }, body }),
    onDone: ({ inviteUrl, invitation }) => {
      setSent({ email: invitation.email, url: inviteUrl });
      form.reset();
      toast({ title: 'Invitation Sent', description: inviteUrl });
    },
    failure: inviteFault,
  });
  const chosen = form.watch('role') ?? 'member';
  const paste = (event: React.ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (listedAddresses(text).length < 2) return;
    event.preventDefault();
    setList(text);
  };
  const roleField = (
    <Field label="Role" help={roleRights[chosen]} error={form.errorOf('role')} className="mt-2">
      <Select
        options={rolesToInvite(role).map((value) => ({ value, label: roleLabels[value] }))}
        {...form.register('role')}
      />
    </Field>
  );
  return (
    <Panel title="Invite New Member" description="They join with their own account.">
      {members && seatsIn(members) >= team.maxMembers && (
        <Alert tone="warning" className="mb-4">
          You’ve used all {team.maxMembers} seats. Remove someone, or contact us about Enterprise.
        </Alert>
      )}
      {list !== undefined && (
        <>
          {roleField}
          <InviteMany
            {...{ team, role: chosen, ownRole: role, text: list, onText: setList, onDone: () => setList(undefined) }}
          />
          {role === 'owner' && takesSeat(chosen) && <CostOfOneMore team={team} each />}
          <Button variant="link" className="mt-2" onClick={() => setList(undefined)}>
            Invite one person
          </Button>
        </>
      )}
      {list === undefined && (
        <Form form={form} label="Invite a new member">
          <Field label="Email" error={form.errorOf('email')}>
            <Input
              type="email"
              autoComplete="off"
              placeholder="colleague@practice.com.au"
              onPaste={paste}
              {...form.register('email')}
            />
          </Field>
          {roleField}
          {role === 'owner' && takesSeat(chosen) && <CostOfOneMore team={team} />}
          <Button type="submit" className="mt-3 w-full" pending={form.pending} pendingLabel="Sending invitation…">
            <Send aria-hidden />
            Send invitation
          </Button>
          <Button variant="link" className="mt-2" onClick={() => setList('')}>
            Invite several people
          </Button>
        </Form>
      )}
      {sent && <CopyLink key={sent.url} {...sent} />}
    </Panel>
  );
};

/** The link is emailed, and shown for people who prefer to pass it on themselves. */
const CopyLink = ({ email, url }: { email: string; url: string }) => {
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      // The browser did not allow it; the link is selected and can be copied by hand.
      setCopied(false);
    }
  };
  return (
    <div className="mt-4 rounded border border-success/30 bg-success-subtle p-3">
      <Field label={`Link for ${email}`} help={copied ? 'Copied.' : 'Sent by email too. It works once, for 7 days.'}>
        <div className="flex gap-2">
          <Input ref={input} readOnly value={url} aria-label={`Link for ${email}`} onFocus={(e) => e.target.select()} />
          <Button variant="secondary" onClick={() => void copy()}>
            {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
            <Text>Copy</Text>
          </Button>
        </div>
      </Field>
    </div>
  );
};

const Revoke = ({ teamId, invitation: { id, email } }: { teamId: string; invitation: TeamInvitation }) => {
  const revoke = useApiMutation(contract.teams.revokeInvitation, {
    onSuccess: () => toast({ title: 'Invitation Revoked', description: `${email} can no longer join.` }),
    failure: 'Failed to revoke the invitation.',
  });
  return (
    <ConfirmButton
      button="Revoke"
      look={{ variant: 'ghost', 'aria-label': `Revoke ${email}` }}
      title="Revoke this invitation?"
      keepLabel="Keep invitation"
      confirmLabel="Revoke invitation"
      pendingLabel="Revoking…"
      mutation={revoke}
      onConfirm={() => revoke.mutate({ params: { teamId, invitationId: id } })}
    >
      The link sent to {email} stops working. You can invite them again at any time.
    </ConfirmButton>
  );
};

const InvitationRow = ({ team: { id: teamId }, role: own, invitation }: MyTeam & { invitation: TeamInvitation }) => {
  const { email, role, state, expiresAt, invitedBy } = invitation;
  const { mutate, isPending } = useApiMutation(contract.teams.resendInvitation, {
    onSuccess: ({ inviteUrl }) => toast({ title: 'Invitation Sent', description: inviteUrl }),
    onError: (error) => toastError(inviteFault(error)),
  });
  const expired = state === 'expired';
  return (
    <Row
      title={
        <>
          <span className="min-w-0 break-all">{email}</span>
          <RoleBadge role={role} />
          {expired && <Badge tone="warning">expired</Badge>}
        </>
      }
      action={
        <div className="flex gap-1">
          {rolesToInvite(own).includes(role) && (
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Resend ${email}`}
              pending={isPending}
              pendingLabel="Sending…"
              onClick={() => mutate({ params: { teamId, invitationId: invitation.id } })}
            >
              Resend
            </Button>
          )}
          <Revoke teamId={teamId} invitation={invitation} />
        </div>
      }
    >
      <p className="figures text-xs text-muted">
        {expired ? 'Expired' : 'Expires'} {formatSydneyDate(expiresAt)} · by {fullName(invitedBy)}
      </p>
    </Row>
  );
};

/** Nothing while none is open. */
export const PendingInvitations = (mine: MyTeam) => {
  const { team } = mine;
  const invitations = useApiQuery(contract.teams.invitations, { params: { teamId: team.id } });
  if (invitations.data?.length === 0) return null;
  return (
    <Panel title="Pending invitations" description="Sent, and not answered yet" bodyClassName="pt-2! pb-2!">
      <QueryView
        query={invitations}
        failedTitle="The invitations could not be loaded"
        loading={<Loading label="Loading the invitations" className="py-3" skeletons={['h-10']} />}
      >
        {(list) => (
          <ul aria-label="Pending invitations" className="divide-y">
            {list.map((invitation) => (
              <InvitationRow key={invitation.id} {...mine} invitation={invitation} />
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  );
};
