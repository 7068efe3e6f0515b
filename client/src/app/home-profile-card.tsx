import { type ReactNode, useId, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { formatAbn, formatPhone } from '#shared/rules/australia.ts';
import { businessZone } from '#shared/rules/dates.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Button, ButtonLink } from '#client/ui/button.tsx';
import { Card, CardBody } from '#client/ui/card.tsx';
import { TextLink } from '#client/ui/link.tsx';

const [EditProfileDialog, prepareDialog] = lazyDialog(
  () => import('#client/features/accounts/edit-profile-dialog.tsx'),
);

const monthAndYear = new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone: businessZone });

const Facts = ({ rows }: { rows: readonly (readonly [label: string, value: ReactNode])[] }) => (
  <dl className="mt-4 flex flex-col gap-2">
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
  const headingId = useId();
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
    ['Member since', monthAndYear.format(user.createdAt)],
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
  return (
    <Card aria-labelledby={headingId}>
      <CardBody>
        <div className="flex items-center gap-3">
          <Avatar person={user} className="size-10!" />
          <div className="min-w-0 flex-1">
            <h2 id={headingId} className="text-base break-words">
              {user.firstName} {user.lastName}
            </h2>
            {user.membershipType === 'shaw_partners' && <Badge tone="success">Special Pricing</Badge>}
          </div>
          <Button
            variant="secondary"
            size="sm"
            aria-label="Edit profile"
            onPointerEnter={prepareDialog}
            onClick={() => setEditing(true)}
          >
            Edit
          </Button>
          <EditProfileDialog user={user} open={editing} onClose={() => setEditing(false)} />
        </div>
        <Facts rows={rows} />
        {full && (
          <>
            <h3 className="mt-6 border-t pt-5 text-base">Your practice</h3>
            <Facts rows={practice} />
            <ButtonLink href={paths.profile} variant="secondary" className="mt-6">
              Open My Profile
            </ButtonLink>
          </>
        )}
      </CardBody>
    </Card>
  );
};
