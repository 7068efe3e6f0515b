import { contract } from '#shared/api/members.ts';
import { useForecast } from '#client/lib/money/forecast.ts';
import { billDay } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useOwnedTeams } from '#client/lib/money/payer.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { Alert } from '#client/ui/alert.tsx';
import { TextLink } from '#client/ui/link.tsx';

type Props = { className?: string };

/** After a hand-over a team has no card until its new owner adds one. */
export const TeamCardNotice = ({ className }: Props) =>
  useOwnedTeams().map(({ id, name }) => <Notice key={id} teamId={id} name={name} className={className} />);

/** Nobody is asked to pay for what their practice doesn't allow. */
const Notice = ({ teamId, name, className }: Props & { teamId: string; name: string }) => {
  const { bill, card, owed } = useForecast({ teamId }).data ?? {};
  const notAllowed = useApiQuery(contract.record.notAllowed).data;
  const asked = bill?.lines.filter(({ toolId }) => notAllowed?.every((one) => one.toolId !== toolId)) ?? [];
  if (!bill || card !== null || owed || bill.totalCents === 0 || asked.length === 0) return null;
  return (
    <div className={className}>
      <Alert
        tone="warning"
        title={`${name} has no card on file`}
        action={<TextLink href={paths.billing(teamId)}>Add a card</TextLink>}
      >
        Please add one before {billDay(bill.at)}, so that the team keeps its tools.
      </Alert>
    </div>
  );
};
