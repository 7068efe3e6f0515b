import { UserRound } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import { fullName } from '#client/lib/session/people.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useLater } from '#client/lib/forms/use-debounced.ts';
import { CommandGroup, CommandItem } from '#client/ui/command.tsx';

/** The server has found them, so `forceMount` keeps the palette's own filter from hiding any. */
const People = ({ search, go }: { search: string; go: (to: string) => void }) => {
  const searched = useLater(search);
  const { data } = useApiQuery(contract.admin.users, { query: { search: searched, limit: 5 } }, { keepPrevious: true });
  return (
    <CommandGroup heading="People" forceMount>
      {data?.users.map((person) => (
        <CommandItem
          key={person.id}
          forceMount
          value={`person ${person.id}`}
          onSelect={() => go(paths.adminUser(person.id))}
        >
          <UserRound aria-hidden />
          <span className="min-w-0 flex-1 truncate">
            {fullName(person)} <span className="text-muted">{person.email}</span>
          </span>
        </CommandItem>
      ))}
    </CommandGroup>
  );
};

export default People;
