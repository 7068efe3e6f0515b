import { clsx } from 'clsx';
import type { AdminUser } from '#shared/api/operators/admin-person.ts';
import { type AccountAct, accountActLabel, accountActs } from '#client/features/admin/people/account-dialog.tsx';
import { useWaiting } from '#client/features/admin/people/waiting.tsx';
import { RowActs } from '#client/features/admin/acts.tsx';
import { Cell, Table } from '#client/features/admin/lists.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { Badge, Button, TextLink } from '#client/ui/elements.tsx';
import { dotted, formatDay } from '#client/lib/words/format.ts';
import { fullName, membershipLabels } from '#client/lib/session/people.ts';

type Props = {
  users: AdminUser[];
  freeOnly: boolean;
  /** In the room People, a row shows exceptions, and has all its acts in a menu. */
  inRoom: boolean;
  stale: boolean;
  onChange: (user: AdminUser) => void;
  onManage: (asked: { user: AdminUser; act: AccountAct }) => void;
};

const Profile = ({ complete }: { complete: boolean }) =>
  complete ? <span className="text-muted">Complete</span> : <Badge tone="warning">Incomplete</Badge>;

/** An owner’s own tools cost what anybody’s do, so that their account is not of the type “team”. */
export const membershipOf = ({ membershipType, ownsTeam }: Pick<AdminUser, 'membershipType' | 'ownsTeam'>) => {
  const shown = ownsTeam && membershipType === 'standard' ? 'team' : membershipType;
  return `${membershipLabels[shown]}${ownsTeam ? ' (owner)' : ''}`;
};

/** What is out of the ordinary about an account. */
export const UserBadges = ({ user }: { user: AdminUser }) => (
  <>
    {useWaiting('user', user.id).length > 0 && <Badge tone="warning">Waiting for approval</Badge>}
    {user.isAdmin && <Badge tone="primary">Admin</Badge>}
    {user.freeAccessGranted && <Badge tone="info">Free Access</Badge>}
    {user.suspendedAt && <Badge tone="danger">Suspended</Badge>}
    {user.mustChangePassword && <Badge tone="warning">New password required</Badge>}
    {!user.emailVerified && <Badge tone="warning">Unverified</Badge>}
  </>
);

type RowProps = { user: AdminUser } & Pick<Props, 'freeOnly' | 'inRoom' | 'onChange' | 'onManage'>;

const UserRow = ({ user, freeOnly, inRoom, onChange, onManage }: RowProps) => {
  const { freeAccessGranted: free } = user;
  const name = fullName(user);
  const joined = formatDay(user.createdAt);
  const action = free ? (freeOnly ? 'Revoke Access' : 'Revoke Free Access') : 'Grant Free Access';
  const acts = accountActs(user).map((act) => [accountActLabel(act), () => onManage({ user, act })] as const);
  const grant = (
    <Button variant="ghost" size="sm" aria-label={`${action}: ${name}`} onClick={() => onChange(user)}>
      {action}
    </Button>
  );
  const more = !freeOnly && <RowActs of={name} acts={inRoom ? [[action, () => onChange(user)], ...acts] : acts} />;
  return (
    <tr>
      <Cell className={clsx('min-w-0', !inRoom && 'max-md:pr-5')}>
        <div className="flex items-start justify-between gap-2">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
            <TextLink href={paths.adminUser(user.id)} className="[overflow-wrap:anywhere]">
              {name}
            </TextLink>
            <UserBadges user={user} />
            {inRoom && !user.profileCompleted && <Profile complete={false} />}
          </p>
          {!inRoom && <div className="-my-3 md:hidden">{more}</div>}
        </div>
        <p className="text-muted [overflow-wrap:anywhere]">{user.email}</p>
        <div className="mt-1 flex items-center gap-2 text-xs text-muted md:hidden">
          <div className="min-w-0 flex-1">
            <p>{dotted([`Joined ${joined}`, inRoom && membershipOf(user)])}</p>
            {!inRoom && (
              <p>
                <span>{`${membershipOf(user)} · `}</span>
                <Profile complete={user.profileCompleted} />
              </p>
            )}
          </div>
          {!inRoom && grant}
        </div>
      </Cell>
      <Cell className="figures whitespace-nowrap text-muted max-md:hidden">{joined}</Cell>
      <Cell className="text-muted max-md:hidden">{membershipOf(user)}</Cell>
      {!inRoom && (
        <Cell className="max-md:hidden">
          <Profile complete={user.profileCompleted} />
        </Cell>
      )}
      <Cell className={clsx('text-right', inRoom ? 'max-md:align-top' : 'max-md:hidden')}>
        <div className="flex items-center justify-end gap-2">
          {!inRoom && grant}
          {more}
        </div>
      </Cell>
    </tr>
  );
};

export const UserTable = ({ users, freeOnly, inRoom, stale, ...rest }: Props) => (
  <Table
    caption={freeOnly ? 'Users with free access' : 'Users'}
    stale={stale}
    columns={[
      ['User'],
      ['Joined', 'max-md:hidden'],
      ['Membership', 'max-md:hidden'],
      ...(inRoom ? [] : [['Profile', 'max-md:hidden'] as const]),
      [freeOnly ? 'Free access' : 'Actions', inRoom ? 'text-right' : 'text-right max-md:hidden'],
    ]}
  >
    {users.map((user) => (
      <UserRow key={user.id} user={user} freeOnly={freeOnly} inRoom={inRoom} {...rest} />
    ))}
  </Table>
);
