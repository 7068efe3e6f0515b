import { CreditCard } from 'lucide-react';
import type { Forecast } from '#shared/api/billing.ts';
import { contract } from '#shared/api/members.ts';
import { hasNone, noneTitle } from '#client/features/subscriptions/no-subscriptions.ts';
import { nextPayment } from '#client/lib/money/bill-words.ts';
import { PaymentLine, useForecast, useOwnedTeams } from '#client/lib/money/payer.tsx';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { foldedAs } from '#client/lib/pages/folded.ts';
import { laterPart } from '#client/lib/pages/load-later.ts';
import type { Part } from '#client/ui/elements.tsx';
import { Fold } from '#client/ui/fold.tsx';
import { Loading } from '#client/ui/query-view.tsx';

const Contents = laterPart(
  () => import('#client/features/subscriptions/subscriptions-panel.tsx'),
  <Loading label="Loading your subscriptions" className="flex flex-col gap-3" skeletons={['h-10', 'h-10']} />,
);

/** What is paid next, and the rest unfolded. */
export const FoldedSubscriptions = ({ toolsAction }: { toolsAction?: Part }) => {
  const subscriptions = useApiQuery(contract.subscriptions.list).data;
  const forecast = useForecast({}).data;
  const teams = useOwnedTeams();
  const isDone = teams.length > 0 && forecast !== undefined && owesNothing(forecast);
  const empty = subscriptions !== undefined && hasNone(subscriptions);
  return (
    <Fold
      {...foldedAs('subscriptions')}
      prepare={Contents.load}
      title="Subscriptions"
      icon={<CreditCard aria-hidden className="size-5 shrink-0 text-muted" />}
      line={
        <>
          {empty
            ? noneTitle
            : forecast && !isDone && <PaymentLine payment={nextPayment(forecast, null)} card={forecast.card} />}
          {teams.map(({ id, name }) => (
            <TeamLine key={id} teamId={id} name={name} only={!empty && isDone} />
          ))}
        </>
      }
    >
      <Contents toolsAction={toolsAction} folded />
    </Fold>
  );
};

const owesNothing = ({ bill, charging, owed }: Forecast) => !bill && !charging && !owed;

/** What a practice pays next, beside its owner's own. */
const TeamLine = ({ teamId, name, only }: { teamId: string; name: string; only: boolean }) => {
  const forecast = useForecast({ teamId }).data;
  if (!forecast) return null;
  if (owesNothing(forecast)) return only && <span className="block">Nothing is due</span>;
  return <span className="block">{nextPayment(forecast, name).title}</span>;
};
