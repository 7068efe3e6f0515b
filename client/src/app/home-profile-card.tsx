import { type ReactNode, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { formatAbn, formatPhone } from '#shared/rules/australia.ts';
import { businessZone } from '#shared/rules/dates.ts';
import { foldedAs } from '#client/lib/pages/folded.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Badge, Button, ButtonLink, Panel, Text, TextLink } from '#client/ui/elements.tsx';
import { Fold } from '#client/ui/fold.tsx';

const [EditProfileDialog, prepareDialog] = lazyDialog(
  () => import('#client/features/accounts/edit-profile-dialog.tsx'),
);

const MonthAndYear = ({ of }: { of: Date }) =>
  new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone: businessZone }).format(of);

const Facts = ({ rows }: { rows: readonly (readonly [label: string, value: ReactNode])[] }) => (
  <dl className="flex flex-col gap-2">
    {rows.map(([label, value]) => (
      <div key={label} className="flex items-baseline justify-between gap-4">
        <dt className="shrink-0 text-muted">{label}</dt>
        <dd className="min-w-0 text-right break-words">{value || 'Not given'}</dd>
      </div>
    ))}
  </dl>
);

/** The team they are a member of, else the first they own. */
const useTeamShown = () => {
  const { data } = useApiQuery(contract.teams.my);
  return data ? (data.memberOf?.name ?? data.ownedTeams[0]?.name ?? 'Create a team') : 'Your team';
};

/** `full` adds the practice, on the tab that the card has to itself. */
export const HomeProfileCard = ({ full = false }: { full?: boolean }) => {
  const user = useSignedInUser();
  const [editing, setEditing] = useState(false);
  const teamName = useTeamShown();
  const rows = [
    ['Email', user.email],
    ['Mobile', user.mobile && formatPhone(user.mobile)],
    ['Dealer group', user.dealerGroup],
    [
      'Team',
      <TextLink key="team" href={paths.teams}>
        {teamName}
      </TextLink>,
    ],
    ['Member since', <MonthAndYear key="since" of={user.createdAt} />],
  ] as const;
  const { businessAddress, businessCity, businessState, businessPostcode } = user;
  const practice = [
    ['Practice', user.businessName],
    [
      'Address',
      [businessAddress, [businessCity, businessState, businessPostcode].filter(Boolean).join(' ')]
        .filter(Boolean)
        .join(', '),
    ],
    ['AFSL number', user.afslNumber],
    ['ABN', user.abn && formatAbn(user.abn)],
  ] as const;
  const name = (
    <>
      <Text>
        {user.firstName} {user.lastName}
      </Text>
      {user.membershipType === 'shaw_partners' && (
        <Badge tone="success" className="ml-2">
          Special Pricing
        </Badge>
      )}
    </>
  );
  const avatar = <Avatar person={user} className="size-9!" />;
  const edit = (
    <Button
      variant="secondary"
      size="sm"
      aria-label="Edit profile"
      onPointerEnter={prepareDialog}
      onClick={() => setEditing(true)}
    >
      Edit
    </Button>
  );
  const dialog = <EditProfileDialog user={user} open={editing} onClose={() => setEditing(false)} />;
  if (!full)
    return (
      <>
        <Fold
          {...foldedAs('profile')}
          title={name}
          line={<span className="block truncate">{user.email}</span>}
          icon={avatar}
          action={edit}
        >
          <Facts rows={rows.slice(1)} />
        </Fold>
        {dialog}
      </>
    );
  return (
    <Panel title={name} icon={avatar} action={edit} bodyClassName="pt-4!">
      {dialog}
      <Facts rows={rows} />
      <h3 className="mt-6 border-t pt-5 pb-4 text-base">Your practice</h3>
      <Facts rows={practice} />
      <ButtonLink href={paths.profile} variant="secondary" className="mt-6">
        Open My Profile
      </ButtonLink>
    </Panel>
  );
};
