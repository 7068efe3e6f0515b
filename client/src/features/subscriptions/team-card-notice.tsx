import { contract } from '#shared/api/members.ts';
import { useForecast, useOwnedTeams } from '#client/lib/money/payer.tsx';
import { billDay } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { Alert, TextLink } from '#client/ui/elements.tsx';

type Props = { className?: string };

/** After a hand-over a team has no card until its new owner adds one. */
export const TeamCardNotice = ({ className }: Props) =>
  useOwnedTeams().map(({ id, name }) => <Notice key={id} teamId={id} name={name} className={className} />);

/** Nobody is asked to pay for what their practice doesn't allow. */
const Notice = ({ teamId, name, className }: Props & { teamId: string; name: string }) => {
  const { bill, card, owed } = useForecast({ teamId }).data ?? {};
  const notAllowed = useApiQuery(contract.record.notAllowed).data;
  const payable = bill?.lines.filter(({ toolId }) => notAllowed?.every((one) => one.toolId !== toolId)) ?? [];
  if (!bill || card !== null || owed || bill.totalCents === 0 || payable.length === 0) return null;
  return (
    <Alert
      tone="warning"
      className={className}
      title={`${name} has no card on file`}
      action={<TextLink href={paths.billing(teamId)}>Add a card</TextLink>}
    >
      Please add one before {billDay(bill.at)}, so that the team keeps its tools.
    </Alert>
  );
};
