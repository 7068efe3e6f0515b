import type { Who } from '#shared/api/operators/oversight.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { TextLink } from '#client/ui/elements.tsx';

/** A person or a practice, with a link to their page where they have one. */
export const WhoLink = ({ who: { userId, teamId, name } }: { who: Who }) => {
  const to = userId ? paths.adminUser(userId) : teamId && paths.adminTeam(teamId);
  return to ? <TextLink href={to}>{name}</TextLink> : <span>{name}</span>;
};
