import type { AdminUser } from '#shared/api/admin-person.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { fullName, membershipLabels } from '#client/lib/session/people.ts';
import { Cell, Head, Table } from '#client/features/admin/table.tsx';
import { AppLink } from '#client/ui/app-link.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';

type Props = {
  users: AdminUser[];
  freeOnly: boolean;
  stale: boolean;
  onChange: (user: AdminUser) => void;
  onManage: (user: AdminUser) => void;
};

const Profile = ({ complete }: { complete: boolean }) =>
  complete ? <Badge tone="success">Complete</Badge> : <Badge tone="warning">Incomplete</Badge>;

/** What is out of the ordinary about an account. */
export const UserBadges = ({ user }: { user: AdminUser }) => (
  <>
    {user.isAdmin && <Badge tone="primary">Admin</Badge>}
    {user.freeAccessGranted && <Badge tone="info">Free Access</Badge>}
    {user.suspendedAt && <Badge tone="danger">Suspended</Badge>}
    {user.mustChangePassword && <Badge tone="warning">New password demanded</Badge>}
    {!user.emailVerified && <Badge tone="warning">Unverified</Badge>}
  </>
);

type RowProps = { user: AdminUser } & Pick<Props, 'freeOnly' | 'onChange' | 'onManage'>;

const UserRow = ({ user, freeOnly, onChange, onManage }: RowProps) => {
  const { freeAccessGranted: free } = user;
  const name = fullName(user);
  const joined = formatDay(user.createdAt);
  const action = free ? (freeOnly ? 'Revoke Access' : 'Revoke Free Access') : 'Grant Free Access';
  const buttons = (
    <div className="flex flex-wrap gap-2 md:justify-end">
      <Button variant="secondary" size="sm" aria-label={`${action}: ${name}`} onClick={() => onChange(user)}>
        {action}
      </Button>
      {!freeOnly && (
        <Button variant="secondary" size="sm" aria-label={`Manage: ${name}`} onClick={() => onManage(user)}>
          Manage
        </Button>
      )}
    </div>
  );
  return (
    <tr>
      <Cell className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <AppLink href={paths.adminUser(user.id)} className="break-words underline-offset-2 hover:underline">
            {name}
          </AppLink>
          <UserBadges user={user} />
        </p>
        <p className="text-muted [overflow-wrap:anywhere]">{user.email}</p>
        <div className="mt-1 space-y-2 md:hidden">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
            Joined {joined} · {membershipLabels[user.membershipType]} <Profile complete={user.profileCompleted} />
          </p>
          {buttons}
        </div>
      </Cell>
      <Cell className="figures whitespace-nowrap text-muted max-md:hidden">{joined}</Cell>
      <Cell className="text-muted max-md:hidden">{membershipLabels[user.membershipType]}</Cell>
      <Cell className="max-md:hidden">
        <Profile complete={user.profileCompleted} />
      </Cell>
      <Cell className="text-right max-md:hidden">{buttons}</Cell>
    </tr>
  );
};

export const UserTable = ({ users, freeOnly, stale, ...rest }: Props) => (
  <Table
    caption={freeOnly ? 'Users with free access' : 'Users'}
    stale={stale}
    head={
      <>
        <Head>User</Head>
        <Head className="max-md:hidden">Joined</Head>
        <Head className="max-md:hidden">Membership</Head>
        <Head className="max-md:hidden">Profile</Head>
        <Head className="text-right max-md:hidden">{freeOnly ? 'Free access' : 'Actions'}</Head>
      </>
    }
  >
    {users.map((user) => (
      <UserRow key={user.id} user={user} freeOnly={freeOnly} {...rest} />
    ))}
  </Table>
);
