import { clsx } from 'clsx';
import { Gift, Users } from 'lucide-react';
import { useState } from 'react';
import type { AdminUser } from '#shared/api/operators/admin-person.ts';
import { contract } from '#shared/api/index.ts';
import { adminPageSize, adminRefreshMs } from '#shared/rules/operators/admin.ts';
import {
  type AccountAct,
  accountActLabel,
  accountActs,
  AccountDialog,
} from '#client/features/admin/people/account-dialog.tsx';
import { useWaiting } from '#client/features/admin/people/waiting.tsx';
import { RowActs } from '#client/features/admin/acts.tsx';
import { FreeAccessDialog } from '#client/features/admin/people/free-access-dialog.tsx';
import {
  Cell,
  NothingFound,
  PagerInAddress,
  PastLastPage,
  SearchBox,
  Table,
  TableSkeleton,
  useListAddress,
} from '#client/features/admin/lists.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { Badge, Button, ButtonLink, Panel, TextLink } from '#client/ui/elements.tsx';
import { EmptyState, QueryView } from '#client/ui/query-view.tsx';
import { dotted, formatDay } from '#client/lib/words/format.ts';
import { fullName, membershipLabels } from '#client/lib/session/people.ts';

const countText = (total: number, more: boolean, search: string) => {
  if (total === 0) return null;
  const people = total === 1 ? '1 user' : `${total.toLocaleString('en-AU')} users`;
  if (search === '') return people;
  return more ? `The first ${people} found. Type more to narrow it down.` : `${people} found`;
};

/** Teams whose name begins with the search, above the people; nothing if there are none. */
const FoundTeams = ({ search }: { search: string }) => {
  const found = useApiQuery(contract.admin.teams, { query: { search, limit: 20 } }, { keepPrevious: true });
  const teams = found.data?.teams ?? [];
  return teams.length === 0 ? null : (
    <section aria-label="Teams found" className="border-b px-4 pb-4 text-sm sm:px-6">
      <h3 className="mb-1 font-medium">Teams</h3>
      <ul className="flex flex-wrap gap-x-6 gap-y-1">
        {teams.map(({ id, name, ownerName, isActive }) => (
          <li key={id}>
            <TextLink href={paths.adminTeam(id)}>{name}</TextLink> <span className="text-muted">of {ownerName}</span>{' '}
            {!isActive && <Badge tone="danger">Closed</Badge>}
          </li>
        ))}
      </ul>
    </section>
  );
};

const chips = [
  ['', 'Everyone'],
  ['free-access', 'Free access'],
  ['unverified', 'Unverified'],
  ['suspended', 'Suspended'],
  ['administrators', 'Administrators'],
] as const;
type Chip = (typeof chips)[number][0];

/** Which people are listed; kept in the address. */
const Chips = ({ value, onChange }: { value: Chip; onChange: (chip: Chip) => void }) => (
  <div role="group" aria-label="Which people" className="flex flex-wrap gap-2 px-5 pb-4">
    {chips.map(([chip, label]) => (
      <Button
        key={chip}
        variant={chip === value ? 'primary' : 'secondary'}
        size="sm"
        className="rounded-full!"
        aria-pressed={chip === value}
        onClick={() => onChange(chip)}
      >
        {label}
      </Button>
    ))}
  </div>
);

/** Users, fifty at a time, with a search by name, email, ABN, invoice or Stripe number: all, those with free access, or as a chip says. */
export const UserList = ({ freeOnly = false, withChips = false }: { freeOnly?: boolean; withChips?: boolean }) => {
  const { page, get, set } = useListAddress();
  const chip = chips.find(([one]) => withChips && one === get('only'))?.[0] ?? '';
  const search = get('search');
  const [chosen, setChosen] = useState<AdminUser>();
  const [managed, setManaged] = useState<{ user: AdminUser; act: AccountAct }>();
  const query = useApiQuery(
    contract.admin.users,
    {
      query: {
        page,
        limit: adminPageSize,
        ...(search !== '' && { search }),
        ...((freeOnly || chip === 'free-access') && { freeAccess: 'true' as const }),
        ...(chip !== '' && chip !== 'free-access' && { only: chip }),
      },
    },
    { refetchInterval: adminRefreshMs, keepPrevious: true },
  );

  const { data, isPlaceholderData } = query;

  const empty = () => {
    if (page > 1) return <PastLastPage icon={<Users />} totalPages={data?.pagination.totalPages} />;
    if (search !== '')
      return (
        <NothingFound
          title="No users found"
          description={`No name or email address has a part that begins with “${search}”, and no ABN, invoice or Stripe number is it.`}
        />
      );
    return freeOnly ? (
      <EmptyState
        icon={<Gift />}
        title="No users with free access"
        description="Grant it on the Users tab to make every tool free for someone."
        action={
          <ButtonLink href={`${paths.admin}?tab=users`} variant="secondary">
            Go to Users
          </ButtonLink>
        }
      />
    ) : (
      <EmptyState icon={<Users />} title={chip === '' ? 'No users' : 'Nobody'} />
    );
  };

  return (
    <Panel
      title={freeOnly ? 'Users with free access' : withChips ? 'Accounts' : 'All users'}
      description={
        <>
          <span aria-live="polite">
            {data && !isPlaceholderData
              ? countText(data.pagination.total, data.pagination.more, search)
              : !query.error && 'Loading…'}
          </span>
          {data && !withChips && !freeOnly && (
            <>
              <span> · </span>
              <TextLink href={paths.desk('people')}>Filter in People</TextLink>
            </>
          )}
        </>
      }
      action={
        (!freeOnly || search !== '' || (data?.pagination.total ?? 0) > 0) && (
          <SearchBox placeholder="Name, email, ABN or invoice" />
        )
      }
      bodyClassName="mt-4 p-0!"
    >
      {withChips && <Chips value={chip} onChange={(only) => set({ only })} />}
      {search !== '' && !freeOnly && !withChips && <FoundTeams search={search} />}
      <QueryView
        query={query}
        failedTitle="The users could not be loaded"
        loading={<TableSkeleton label="Loading users" />}
        isEmpty={({ users }) => users.length === 0}
        empty={empty()}
      >
        {({ users }) => (
          <UserTable
            users={users}
            freeOnly={freeOnly}
            inRoom={withChips}
            stale={isPlaceholderData}
            onChange={setChosen}
            onManage={setManaged}
          />
        )}
      </QueryView>
      {data && (
        <PagerInAddress label={freeOnly ? 'users with free access' : 'users'} totalPages={data.pagination.totalPages} />
      )}
      {managed && <AccountDialog {...managed} onClose={() => setManaged(undefined)} />}
      {chosen && <FreeAccessDialog user={chosen} onClose={() => setChosen(undefined)} />}
    </Panel>
  );
};

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
    {user.mustChangePassword && <Badge tone="warning">New password demanded</Badge>}
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
  const buttons = inRoom ? (
    <RowActs of={name} acts={[[action, () => onChange(user)], ...acts]} />
  ) : (
    <div className="flex items-center justify-between gap-2 md:justify-end">
      <Button variant="secondary" size="sm" aria-label={`${action}: ${name}`} onClick={() => onChange(user)}>
        {action}
      </Button>
      {!freeOnly && <RowActs of={name} acts={acts} />}
    </div>
  );
  return (
    <tr>
      <Cell className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <TextLink href={paths.adminUser(user.id)} className="[overflow-wrap:anywhere]">
            {name}
          </TextLink>
          <UserBadges user={user} />
          {inRoom && !user.profileCompleted && <Profile complete={false} />}
        </p>
        <p className="text-muted [overflow-wrap:anywhere]">{user.email}</p>
        <div className="mt-1 md:hidden">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
            {dotted([`Joined ${joined}`, membershipOf(user), !inRoom && user.profileCompleted && 'Profile complete'])}
            {!inRoom && !user.profileCompleted && <Profile complete={false} />}
          </p>
          {!inRoom && buttons}
        </div>
      </Cell>
      <Cell className="figures whitespace-nowrap text-muted max-md:hidden">{joined}</Cell>
      <Cell className="text-muted max-md:hidden">{membershipOf(user)}</Cell>
      {!inRoom && (
        <Cell className="max-md:hidden">
          <Profile complete={user.profileCompleted} />
        </Cell>
      )}
      <Cell className={clsx('text-right', inRoom ? 'max-md:align-top' : 'max-md:hidden')}>{buttons}</Cell>
    </tr>
  );
};

const UserTable = ({ users, freeOnly, inRoom, stale, ...rest }: Props) => (
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
