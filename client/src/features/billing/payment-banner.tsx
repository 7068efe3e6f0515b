import { useForecast } from '#client/lib/money/forecast.ts';
import { laterPart } from '#client/lib/pages/load-later.ts';
import { type Payer, useOwnedTeams, useTeamName } from '#client/lib/money/payer.ts';

const Owed = laterPart(() => import('#client/features/billing/owed.tsx'));

type Props = { teamsOnly?: boolean; className?: string };

/** What a payer owes, with the one button that pays it: the adviser, and the teams they own. */
export const PaymentBanner = ({ teamsOnly = false, className }: Props) => (
  <>
    {!teamsOnly && <OwedBy className={className} />}
    {useOwnedTeams().map(({ id }) => (
      <OwedBy key={id} teamId={id} className={className} />
    ))}
  </>
);

/** One payer's part of it. */
export const OwedBy = ({ teamId, className }: Payer & { className?: string | undefined }) => {
  const owed = useForecast({ teamId }).data?.owed;
  const team = useTeamName({ teamId });
  return (
    owed && (
      <section
        aria-label={`${owed.tried ? 'Failed payment' : 'Free access ended'}${team === null ? '' : ` of ${team}`}`}
        className={className}
      >
        <Owed teamId={teamId} />
      </section>
    )
  );
};
