import { contract } from '#shared/api/members.ts';
import { formatDateTime } from '#client/lib/format.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

/** What happened at the sign-in of this account lately, also by others. */
export const RecentSignIns = () => (
  <QueryView
    query={useApiQuery(contract.security.signIns, {}, { refetchOnMount: 'always' })}
    failedTitle="Your recent sign-ins could not be loaded"
    loading={<Loading label="Loading your recent sign-ins" className="space-y-3 py-3" skeletons={['h-8', 'h-8']} />}
  >
    {(signIns) => (
      <ul aria-label="Recent sign-ins" tabIndex={0} className="max-h-72 divide-y overflow-y-auto">
        {signIns.map(({ id, what, sentence, createdAt }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2 text-sm">
            <span className={what === 'signed_in' || what === 'signed_out' ? '' : 'text-danger'}>{sentence}</span>
            <span className="figures text-xs text-muted">{formatDateTime(createdAt)}</span>
          </li>
        ))}
      </ul>
    )}
  </QueryView>
);
