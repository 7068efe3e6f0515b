import { contract } from '#shared/api/index.ts';
import { paths } from '#client/lib/paths.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { AppLink } from '#client/ui/app-link.tsx';
import { Badge } from '#client/ui/badge.tsx';

/** The teams that a search finds by name, above the people; nothing where there are none. */
export const FoundTeams = ({ search }: { search: string }) => {
  const { data = [] } = useApiQuery(contract.admin.teams, { query: { search } }, { keepPrevious: true });
  return data.length === 0 ? null : (
    <section aria-label="Teams found" className="border-b px-4 pb-4 text-sm sm:px-6">
      <h3 className="mb-1 font-medium">Teams</h3>
      <ul className="flex flex-wrap gap-x-6 gap-y-1">
        {data.map(({ id, name, ownerName, isActive }) => (
          <li key={id}>
            <AppLink href={paths.adminTeam(id)} className="underline">
              {name}
            </AppLink>{' '}
            <span className="text-muted">of {ownerName}</span> {!isActive && <Badge tone="danger">Closed</Badge>}
          </li>
        ))}
      </ul>
    </section>
  );
};
