import { Blocks, Building2, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { contract } from '#shared/api/index.ts';
import { fullName } from '#client/lib/session/people.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useLater } from '#client/lib/forms/use-debounced.ts';
import { CommandGroup, CommandItem } from '#client/ui/command.tsx';

const limit = 5;
const keep = { keepPrevious: true };

type Props = { search: string; go: (to: string) => void };
type Found = { to: string; icon: ReactNode; name: string; more: string };

/** What the server has found. Each entry has the words typed in it, so that the palette's own filter hides none, and counts it. */
const Group = ({ heading, found, search, go }: Props & { heading: string; found: Found[] | undefined }) => (
  <CommandGroup heading={heading}>
    {found?.map(({ to, icon, name, more }) => (
      <CommandItem key={`${search} ${to}`} value={`${search} ${to}`} onSelect={() => go(to)}>
        {icon}
        <span className="min-w-0 flex-1 truncate">
          {name} <span className="text-muted">{more}</span>
        </span>
      </CommandItem>
    ))}
  </CommandGroup>
);

/** For administrators: people, practices and tools, each on its page at the desk. */
const People = ({ search, go }: Props) => {
  const query = { search: useLater(search), limit };
  const { data: people } = useApiQuery(contract.admin.users, { query }, keep);
  const { data: practices } = useApiQuery(contract.admin.teams, { query }, keep);
  const { data: tools } = useApiQuery(contract.publications.offered);
  const users = people?.users.map((person) => ({
    to: paths.adminUser(person.id),
    icon: <UserRound aria-hidden />,
    name: fullName(person),
    more: person.email,
  }));
  const teams = practices?.teams.map(({ id, name, ownerName }) => ({
    to: paths.adminTeam(id),
    icon: <Building2 aria-hidden />,
    name,
    more: `of ${ownerName}`,
  }));
  return (
    <>
      <Group heading="People" found={users} search={search} go={go} />
      <Group heading="Practices" found={teams} search={search} go={go} />
      <CommandGroup heading="Tools at the desk">
        {tools?.map(({ id, name }) => (
          <CommandItem key={id} value={`Admin: ${name}`} onSelect={() => go(paths.adminTool(id))}>
            <Blocks aria-hidden />
            Admin: {name}
          </CommandItem>
        ))}
      </CommandGroup>
    </>
  );
};

export default People;
