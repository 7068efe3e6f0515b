import { Send } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import { type ListedAddress, listedAddresses } from '#shared/rules/people/invitation-list.ts';
import { type InvitedRole, rolesToInvite, type TeamRole } from '#shared/rules/people/teams.ts';
import { roleLabels } from '#client/features/teams/team-labels.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge, Button, FormError } from '#client/ui/elements.tsx';
import { Field, Textarea } from '#client/ui/field.tsx';

type Props = {
  team: MyTeam['team'];
  ownRole: TeamRole;
  /** For those whom the list gives no role. */
  role: InvitedRole;
  text: string;
  onText: (text: string) => void;
  onDone: () => void;
};

const invitedText = (count: number) => (count === 1 ? '1 person is invited' : `${count} people are invited`);

/** What becomes of each address of the list, before it is sent. */
const useFates = ({ team, ownRole, text, role }: Props) => {
  const params = { teamId: team.id };
  const members = useApiQuery(contract.teams.members, { params }).data ?? [];
  const pending = useApiQuery(contract.teams.invitations, { params }).data ?? [];
  return listedAddresses(text).map((one) => {
    const fate =
      one.fault ??
      (members.some(({ user }) => user.email === one.email)
        ? 'member'
        : pending.some(({ email }) => email === one.email)
          ? 'again'
          : 'new');
    const named = one.role && rolesToInvite(ownRole).includes(one.role) ? one.role : role;
    return { ...one, fate, role: named };
  });
};
type Fate = ReturnType<typeof useFates>[number];

const isSent = ({ fate }: Fate) => fate === 'new' || fate === 'again';

const fateText: Record<Exclude<Fate['fate'], 'new'>, string> = {
  invalid: 'Not an email address',
  twice: 'Twice in the list',
  member: 'Already a member',
  again: 'Gets a new link',
} satisfies Record<NonNullable<ListedAddress['fault']> | 'member' | 'again', string>;

const Preview = ({ fates }: { fates: readonly Fate[] }) => (
  <div tabIndex={0} role="group" aria-label="Preview of the list" className="mt-3 max-h-60 overflow-y-auto rounded-sm">
    <ul aria-label="Preview" className="divide-y border-y text-sm">
      {fates.map((one, index) => (
        // An address may be in it twice.
        <li
          key={`${index} ${one.email}`}
          className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-1.5"
        >
          <span className="min-w-0 break-all">{one.email}</span>
          <span className="flex flex-wrap gap-1.5">
            {isSent(one) && <Badge tone="neutral">{roleLabels[one.role]}</Badge>}
            {one.fate !== 'new' && <Badge tone={one.fate === 'again' ? 'info' : 'warning'}>{fateText[one.fate]}</Badge>}
          </span>
        </li>
      ))}
    </ul>
  </div>
);

/** Invites a pasted list of addresses, after showing what becomes of each. */
export const InviteMany = (props: Props) => {
  const { team, text, onText, onDone } = props;
  const fates = useFates(props);
  const list = fates.filter(isSent);
  const send = useApiMutation(contract.teams.inviteMany, {
    failure: null,
    onSuccess: (results) => {
      const sent = results.filter(({ outcome }) => outcome === 'invited');
      const rest = results.filter(({ outcome }) => outcome === 'limit_reached');
      toast({
        title: 'Invitations Sent',
        description:
          rest.length === 0
            ? `${invitedText(sent.length)} by email.`
            : `${invitedText(sent.length)}. The daily limit is reached; send the rest tomorrow: ${rest.map(({ email }) => email).join(', ')}.`,
      });
      // Each with the role that it was to have.
      const left = list.filter(({ email }) => rest.some((one) => one.email === email));
      onText(left.map(({ email, role }) => `${email}, ${role}`).join('\n'));
      if (rest.length === 0) onDone();
    },
  });
  const invite = () =>
    send.mutate({
      params: { teamId: team.id },
      body: { invitations: list.map(({ email, role }) => ({ email, role })) },
    });
  return (
    <>
      <Field label="Email addresses" help="One per line, or rows of a CSV file. A row may name a role.">
        <Textarea rows={5} value={text} onChange={(event) => onText(event.target.value)} />
      </Field>
      <Preview fates={fates} />
      <FormError className="mt-3">{send.fault}</FormError>
      <Button
        className="mt-3 w-full"
        disabled={list.length === 0}
        pending={send.isPending}
        pendingLabel="Sending invitations…"
        onClick={invite}
      >
        <Send aria-hidden />
        {list.length === 0
          ? 'Send invitations'
          : list.length === 1
            ? 'Send 1 invitation'
            : `Send ${list.length} invitations`}
      </Button>
    </>
  );
};
