import type { Forecast } from '#shared/api/billing.ts';
import { restOf } from '#shared/rules/billing/bill-table.ts';
import { BillTable } from '#client/lib/money/bill-table.tsx';
import { nextPayment } from '#client/lib/money/bill-words.ts';
import { BillsAfter, type Payer, PaymentLine, useForecast, useTeamName } from '#client/lib/money/payer.tsx';
import { billDay } from '#client/lib/words/format.ts';
import { Card, CardBody, type Part } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const Coming = ({ forecast, team, open }: { forecast: Forecast; team: string | null; open: boolean }) => {
  const payment = nextPayment(forecast, team);
  const { bill, card, charging } = forecast;
  return (
    <div className="gap-x-8 gap-y-3 max-md:space-y-3 md:grid md:grid-cols-[minmax(0,1fr)_22rem] md:grid-rows-[auto_auto_1fr] md:[&>*]:col-start-1 md:[&>dl]:col-start-2 md:[&>dl]:row-span-3 md:[&>dl]:row-start-1 md:[&>dl]:mt-1 md:[&>dl]:self-start">
      <h2 className="figures text-lg">
        <PaymentLine payment={payment} card={card} />
      </h2>
      <BillsAfter rows={payment.rows} />
      {payment.notes.length > 0 && (
        <ul className="figures space-y-0.5 text-muted">
          {payment.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <div className="space-y-2 empty:hidden">
        {charging && charging.lines.length + charging.parts.length > 0 && (
          <details>
            <summary className="figures">See today’s bill</summary>
            <div className="mt-2 max-w-prose">
              <BillTable label="Today’s bill" {...charging} {...restOf(charging)} />
            </div>
          </details>
        )}
        {bill && bill.lines.length + bill.parts.length > 0 && (
          <details open={open}>
            <summary className="figures">{charging ? `See the bill of ${billDay(bill.at)}` : 'See the bill'}</summary>
            <div className="mt-2 max-w-prose">
              <BillTable label="Next bill" {...bill} />
            </div>
          </details>
        )}
      </div>
    </div>
  );
};

/** On top of a payer's billing: what they pay next, when, with which card, and for what; of a practice also by person. */
export const NextBill = ({ teamId, byPerson }: Payer & { byPerson?: Part }) => {
  const forecast = useForecast({ teamId });
  const team = useTeamName({ teamId });
  return (
    <Card aria-label="Next bill">
      <CardBody className="grid grid-cols-1 gap-3">
        <QueryView
          query={forecast}
          failedTitle="The next bill could not be loaded"
          loading={<Loading label="Loading the next bill" skeletons={['h-7 w-80 max-w-full', 'mt-3 h-5 w-40']} />}
        >
          {(data) => <Coming forecast={data} team={team} open={byPerson !== undefined} />}
        </QueryView>
        {byPerson}
      </CardBody>
    </Card>
  );
};
