import { contract } from '#shared/api/index.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';

/** How many things wait for an administrator, once all are known; and what else Today says. `answered`: nothing is still loading. */
export const useToday = () => {
  const [incidents, approvals] = [useApiQuery(contract.oversight.incidents), useApiQuery(contract.approvals.list)];
  const [requests, unpaid] = [useApiQuery(contract.publications.list), useApiQuery(contract.oversight.unpaidBills)];
  const answered = [incidents, approvals, requests, unpaid].every(({ isPending }) => !isPending);
  const asked = approvals.data?.approvals;
  const waiting = [
    incidents.data?.incidents,
    asked?.filter(({ state }) => state === 'waiting'),
    requests.data,
    unpaid.data,
  ];
  const decided = asked?.filter(({ state }) => state !== 'waiting').length ?? 0;
  return {
    answered,
    count: waiting.reduce<number | undefined>(
      (sum, list) => (sum === undefined || !list ? undefined : sum + list.length),
      0,
    ),
    notices: decided + (incidents.data?.warnings.length ?? 0),
  };
};
