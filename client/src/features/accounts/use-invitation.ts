import { useEffect, useState } from 'react';
import type { ReceivedInvitation } from '#shared/api/teams.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { keptToken } from '#client/lib/session/mailed-token.ts';

/** The contract comes later, since visitors' pages paint without it. */
const load = async (token: string): Promise<ReceivedInvitation> =>
  (await import('#client/lib/calls/api.ts')).api.teams.invitation({ params: { token } });

/** The invitation that this tab was opened with; null without one, undefined until it has arrived. */
export const useInvitation = (): ReceivedInvitation | null | undefined => {
  const [invitation, setInvitation] = useState<ReceivedInvitation | null>();
  useEffect(() => {
    const token = keptToken(paths.acceptInvitation);
    let gone = false;
    const arrive = (arrived: ReceivedInvitation | null) => {
      if (!gone) setInvitation(arrived);
    };
    if (token === null) arrive(null);
    else void load(token).then(arrive, () => arrive(null));
    return () => {
      gone = true;
    };
  }, []);
  return invitation;
};
