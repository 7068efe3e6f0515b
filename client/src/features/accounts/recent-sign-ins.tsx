import { contract } from '#shared/api/index.ts';
import type { SignIn } from '#shared/api/security.ts';
import { formatDateTime } from '#client/lib/format.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

const labels: Record<SignIn['what'], string> = {
  signed_in: 'Signed in',
  sign_in_failed: 'Wrong password',
  sign_in_throttled: 'Stopped after too many wrong passwords',
  sign_in_refused: 'Refused, since the account was suspended',
  signed_out: 'Signed out',
};

/** What happened at the sign-in of this account lately, also by others. */
export const RecentSignIns = () => (
  <QueryView
    query={useApiQuery(contract.security.signIns, {}, { refetchOnMount: 'always' })}
    loading={<Loading label="Loading your recent sign-ins" className="space-y-3 py-3" skeletons={['h-8', 'h-8']} />}
  >
    {(signIns) => (
      <ul aria-label="Recent sign-ins" tabIndex={0} className="max-h-72 divide-y overflow-y-auto">
        {signIns.map(({ id, what, device, ip, createdAt }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2 text-sm">
            <span className={what === 'signed_in' || what === 'signed_out' ? '' : 'text-danger'}>{labels[what]}</span>
            <span className="figures text-xs text-muted">
              {[device, ip, formatDateTime(createdAt)].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    )}
  </QueryView>
);
