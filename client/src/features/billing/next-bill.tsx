import type { Forecast } from '#shared/api/billing.ts';
import { BillTable } from '#client/lib/money/bill-table.tsx';
import { keepDays, nextPayment } from '#client/lib/money/bill-words.ts';
import { CardName } from '#client/lib/money/card-name.tsx';
import { useForecast } from '#client/lib/money/forecast.ts';
import { billDay } from '#client/lib/words/format.ts';
import { type Payer, useTeamName } from '#client/lib/money/payer.ts';
import { Card, CardBody } from '#client/ui/card.tsx';
import { QueryView, Skeleton } from '#client/ui/query-view.tsx';

const Coming = ({ forecast, team }: { forecast: Forecast; team: string | null }) => {
  const { title, withCard, notes } = nextPayment(forecast, team);
  const { bill, card } = forecast;
  return (
    <>
      <h2 className="figures text-lg">
        {keepDays(title)}
        {withCard && card && (
          <>
            {' '}
            with <CardName card={card} />
          </>
        )}
      </h2>
      {notes.length > 0 && (
        <ul className="figures mt-1.5 space-y-0.5 text-muted">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {bill && bill.lines.length + bill.parts.length > 0 && (
        <details className="mt-3">
          <summary className="w-fit cursor-pointer rounded-sm text-primary underline underline-offset-4">
            {forecast.charging ? `What the bill of ${billDay(bill.at)} is for` : 'What it is for'}
          </summary>
          <div className="mt-2 max-w-prose">
            <BillTable label="Next bill" {...bill} />
          </div>
        </details>
      )}
    </>
  );
};

/** On top of a payer's billing: what they pay next, when, with which card, and for what. */
export const NextBill = ({ teamId }: Payer) => {
  const forecast = useForecast({ teamId });
  const team = useTeamName({ teamId });
  return (
    <Card aria-label="Next bill">
      <CardBody>
        <QueryView
          query={forecast}
          failedTitle="The next bill could not be loaded"
          loading={
            <div aria-busy>
              <output className="sr-only">Loading the next bill</output>
              <Skeleton className="h-7 w-80 max-w-full" />
              <Skeleton className="mt-3 h-5 w-40" />
            </div>
          }
        >
          {(data) => <Coming forecast={data} team={team} />}
        </QueryView>
      </CardBody>
    </Card>
  );
};
