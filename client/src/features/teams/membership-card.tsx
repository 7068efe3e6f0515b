import { Building2 } from 'lucide-react';
import { RoleBadge } from '#client/features/teams/team-labels.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { Card } from '#client/ui/card.tsx';

const rights = {
  owner: '',
  admin: 'You can invite people, remove members and see how the tools are used.',
  member: 'You can open its tools and see who is in it.',
};

/** Membership in a team of somebody else's, with the role (B §2). */
export const MembershipCard = ({ team, role }: MyTeam) => (
  <Card aria-label="Your membership" className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
    <span
      aria-hidden
      className="flex size-9 items-center justify-center rounded-full bg-primary-subtle text-primary [&_svg]:size-5"
    >
      <Building2 />
    </span>
    <div className="min-w-0 flex-1 basis-60">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        You are a member of {team.name}
        <RoleBadge role={role} />
      </p>
      <p className="text-muted">{rights[role]}</p>
    </div>
  </Card>
);
