import { Gift, Users } from 'lucide-react';
import { useState } from 'react';
import type { AdminUser } from '#shared/api/operators/admin-person.ts';
import { contract } from '#shared/api/index.ts';
import { adminPageSize, adminRefreshMs } from '#shared/rules/operators/admin.ts';
import { type AccountAct, AccountDialog } from '#client/features/admin/people/account-dialog.tsx';
import { UserTable } from '#client/features/admin/people/user-table.tsx';
import { FreeAccessDialog } from '#client/features/admin/people/free-access-dialog.tsx';
import { PersonPicker } from '#client/features/admin/people/person-picker.tsx';
import {
  NothingFound,
  PagerInAddress,
  PastLastPage,
  SearchBox,
  TableSkeleton,
  useListAddress,
} from '#client/features/admin/lists.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { Badge, Button, Panel, TextLink } from '#client/ui/elements.tsx';
import { DialogButton } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { EmptyState, QueryView } from '#client/ui/query-view.tsx';

const countText = (total: number, more: boolean, search: string) => {
  if (total === 0) return null;
  const people = total === 1 ? '1 user' : `${total.toLocaleString('en-AU')} users`;
  if (search === '') return people;
  return more ? `The first ${people} found. Type more to narrow it down.` : `${people} found`;
};

/** Practices whose name begins with the search, above the people; nothing if there are none. */
const FoundPractices = ({ search }: { search: string }) => {
  const found = useApiQuery(contract.admin.teams, { query: { search, limit: 20 } }, { keepPrevious: true });
  const teams = found.data?.teams ?? [];
  return teams.length === 0 ? null : (
    <section aria-label="Practices found" className="border-b px-4 pb-4 text-sm sm:px-6">
      <h3 className="mb-1 font-medium">Practices</h3>
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

/** Makes the tools of somebody free who isn't in the list of those who have it. */
const GrantButton = ({ onChoose }: { onChoose: (user: AdminUser) => void }) => (
  <DialogButton title="Grant free access" description="To whom?" button="Grant Free Access…" look={{ size: 'md' }}>
    {(close) => (
      <Field label="User" className="min-h-80">
        <PersonPicker
          value={null}
          onChange={(user) => {
            close();
            if (user) onChoose(user);
          }}
        />
      </Field>
    )}
  </DialogButton>
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
          description={`No name or email address has a part that begins with “${search}”, and no ABN, invoice or Stripe number matches it.`}
        />
      );
    return freeOnly ? (
      <EmptyState
        icon={<Gift />}
        title="No users with free access"
        description="Grant it to make every tool free for someone."
        action={<GrantButton onChoose={setChosen} />}
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
          <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
            <SearchBox placeholder="Name, email, ABN or invoice" />
            {freeOnly && <GrantButton onChoose={setChosen} />}
          </div>
        )
      }
      bodyClassName="mt-4 p-0!"
    >
      {withChips && <Chips value={chip} onChange={(only) => set({ only })} />}
      {search !== '' && !freeOnly && !withChips && <FoundPractices search={search} />}
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
