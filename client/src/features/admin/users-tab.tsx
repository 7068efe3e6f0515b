import { Gift, SearchX, Users } from 'lucide-react';
import { useState } from 'react';
import type { AdminUser } from '#shared/api/admin.ts';
import { contract } from '#shared/api/index.ts';
import { adminPageSize, adminRefreshMs } from '#shared/rules/admin.ts';
import { FreeAccessDialog } from '#client/features/admin/free-access-dialog.tsx';
import { Pager } from '#client/features/admin/pager.tsx';
import { SearchBox } from '#client/features/admin/search-box.tsx';
import { TableSkeleton } from '#client/features/admin/table.tsx';
import { useAddress } from '#client/features/admin/use-address.ts';
import { UserTable } from '#client/features/admin/user-table.tsx';
import { useApiQuery } from '#client/lib/query-client.ts';
import { Button } from '#client/ui/button.tsx';
import { Card, CardHeader } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';

const figure = (value: number) => value.toLocaleString('en-AU');

const howMany = (total: number, more: boolean, search: string) => {
  if (total === 0) return null;
  const people = total === 1 ? '1 user' : `${figure(total)} users`;
  if (search === '') return people;
  return more ? `The first ${people} found. Type more to narrow it down.` : `${people} found`;
};

/** All users, or those with free access (B §2), fifty at a time, with a search by name or e-mail. */
export const UsersTab = ({ freeOnly = false }: { freeOnly?: boolean }) => {
  const { page, get, set, openPage } = useAddress();
  const search = get('search');
  const [chosen, setChosen] = useState<AdminUser>();
  const { data, error, refetch, isFetching, isPlaceholderData } = useApiQuery(
    contract.admin.users,
    {
      query: {
        page,
        limit: adminPageSize,
        ...(search !== '' && { search }),
        ...(freeOnly && { freeAccess: 'true' as const }),
      },
    },
    { refetchInterval: adminRefreshMs, keepPrevious: true },
  );

  const content = () => {
    if (!data && error)
      return (
        <ErrorState message={error.sentence} requestId={error.requestId} onRetry={refetch} retrying={isFetching} />
      );
    if (!data) return <TableSkeleton label="Loading users" />;
    const { users, pagination } = data;
    if (users.length > 0)
      return <UserTable users={users} freeOnly={freeOnly} stale={isPlaceholderData} onChange={setChosen} />;
    if (page > 1)
      return (
        <EmptyState
          icon={<Users />}
          title="Nothing on this page"
          action={
            <Button variant="secondary" onClick={() => openPage(Math.max(1, pagination.totalPages))}>
              Go to the last page
            </Button>
          }
        />
      );
    if (search !== '')
      return (
        <EmptyState
          icon={<SearchX />}
          title="No users found"
          description={`No name or email address has a part that begins with “${search}”.`}
          action={
            <Button variant="secondary" onClick={() => set({ search: '' })}>
              Clear Search
            </Button>
          }
        />
      );
    return freeOnly ? (
      <EmptyState
        icon={<Gift />}
        title="No users with free access"
        description="Grant it on the Users tab: everything then costs that user nothing."
      />
    ) : (
      <EmptyState icon={<Users />} title="No users" />
    );
  };

  return (
    <Card>
      <CardHeader
        title={freeOnly ? 'Users with free access' : 'All users'}
        description={
          <span aria-live="polite">
            {data && !isPlaceholderData ? howMany(data.pagination.total, data.pagination.more, search) : 'Loading…'}
          </span>
        }
        action={
          <SearchBox
            label="Search by name or email"
            value={search}
            onSearch={(text) => set({ search: text }, search !== '' && text !== '')}
          />
        }
      />
      <div className="mt-4">{content()}</div>
      {data && (
        <Pager
          label={freeOnly ? 'users with free access' : 'users'}
          page={page}
          totalPages={data.pagination.totalPages}
          onPage={openPage}
        />
      )}
      {chosen && <FreeAccessDialog user={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  );
};
