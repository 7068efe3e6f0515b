import { Check, Copy, Send } from 'lucide-react';
import { useRef, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { rolesToInvite } from '#shared/rules/people/teams.ts';
import { useBillWith } from '#client/features/teams/bill-with.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { api } from '#client/lib/calls/api.ts';
import { type ApiError, sentenceOf } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { Input } from '#client/ui/input.tsx';
import { Select } from '#client/ui/select.tsx';

const roles = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
] as const;

export const inviteFault = (error: ApiError) =>
  error.code === 'rate_limited'
    ? 'A team’s owner can have 20 invitations sent a day. Please try again tomorrow.'
    : sentenceOf(error, 'Failed to send invitation.');

/** What one more member does to the bill, for the owner, who pays. */
const CostOfOneMore = ({ team }: { team: MyTeam['team'] }) => {
  const { sentence } = useBillWith({ team, change: { joins: 'true' } });
  return sentence && <p className="figures mt-2 text-xs text-muted">If they join today, {sentence}</p>;
};

export const InviteForm = ({ team, role }: MyTeam) => {
  const [sent, setSent] = useState<{ email: string; url: string }>();
  const members = useApiQuery(contract.teams.members, { params: { teamId: team.id } }).data;
  const form = useApiForm({
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
  return (
    <Panel title="Invite New Member" description="They join with their own account.">
      {members && members.length >= team.maxMembers && (
        <Alert tone="warning" className="mb-4">
          All {team.maxMembers} places are taken. An invitation can be accepted once one is free.
        </Alert>
      )}
      <Form form={form} label="Invite a new member">
        <Field label="Email" error={form.errorOf('email')}>
          <Input type="email" autoComplete="off" placeholder="colleague@practice.com.au" {...form.register('email')} />
        </Field>
        <Field
          label="Role"
          help="An admin can invite people, remove members and see how the tools are used."
          error={form.errorOf('role')}
          className="mt-2"
        >
          <Select
            options={roles.filter(({ value }) => rolesToInvite(role).includes(value))}
            {...form.register('role')}
          />
        </Field>
        {role === 'owner' && <CostOfOneMore team={team} />}
        <Button type="submit" className="mt-3 w-full" pending={form.pending} pendingLabel="Sending invitation…">
          <Send aria-hidden />
          Send invitation
        </Button>
      </Form>
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
            Copy
          </Button>
        </div>
      </Field>
    </div>
  );
};
