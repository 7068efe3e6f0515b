import { Download } from 'lucide-react';
import type { Reply } from '#shared/api/endpoint.ts';
import { addressOf } from '#shared/api/address.ts';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { ButtonLink } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

type Bill = NonNullable<Reply<typeof contract.books.nextBill>>;

/** The practice's next bill by person and tool, folded; nothing where no bill is coming. */
export const BillByPerson = ({ teamId }: { teamId: string }) => {
  const params = { teamId };
  const bill = useApiQuery(contract.books.nextBill, { params });
  if (bill.data === null) return null;
  return (
    <section aria-label="Next bill by person">
      <QueryView
        query={bill}
        failedTitle="The next bill by person could not be loaded"
        loading={<Loading label="Loading the next bill by person" skeletons={['h-5 w-56']} />}
      >
        {(data) =>
          data && (
            <details>
              <summary className="figures">{sharesText(data)}</summary>
              <Matrix {...data} />
              <ButtonLink
                href={addressOf(contract.books.nextBillCsv, { params })}
                download
                variant="secondary"
                size="sm"
                className="mt-3"
              >
                <Download aria-hidden />
                Download CSV
              </ButtonLink>
            </details>
          )
        }
      </QueryView>
    </section>
  );
};

/** "By person: 5 members × $63.75", where everybody costs as much. */
function sharesText({ people, practice }: Bill) {
  const [first] = people;
  const alike = practice.length === 0 && people.every(({ cents, userId }) => userId && cents === first?.cents);
  return first && alike && people.length > 1
    ? `By person: ${people.length} members × ${formatCents(first.cents)}`
    : 'By person';
}

const cell = 'py-2 pl-4 text-right align-top';
const first = 'sticky left-0 max-w-40 bg-surface py-2 pr-2 text-left align-top font-medium break-words sm:max-w-none';

/** What of an amount is for days before the bill. */
const daysText = (cents: number) => (cents === 0 ? null : `${formatCents(cents)} of it for days before`);

/** People down, tools across; on a narrow screen the names stay while the tools scroll. */
const Matrix = ({ people, practice, totalCents }: Bill) => {
  const tools = [...new Map(people.flatMap((one) => one.tools.map(({ toolId, toolName }) => [toolId, toolName])))];
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label="Next bill by person and tool"
      className="relative mt-2 overflow-x-auto rounded-sm"
    >
      <table aria-label="Next bill by person" className="figures w-full">
        <thead className="align-bottom text-xs text-muted">
          <tr>
            <th scope="col" className={first}>
              Person
            </th>
            {[...tools.map(([, name]) => name), 'Total'].map((name) => (
              <th key={name} scope="col" className={`${cell} font-medium`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y border-y">
          {people.map(({ userId, name, cents, tools: own }) => (
            <tr key={userId ?? `left ${name}`}>
              <th scope="row" className={first}>
                {name}
                {userId === null && <span className="block text-xs font-normal text-muted">Days before the bill</span>}
              </th>
              {tools.map(([toolId]) => {
                const share = own.find((one) => one.toolId === toolId);
                const note = share && daysText(share.daysCents);
                return (
                  <td key={toolId} className={cell}>
                    {share ? formatCents(share.monthCents + share.daysCents) : <span className="text-muted">–</span>}
                    {note && <span className="block text-xs text-muted">{note}</span>}
                  </td>
                );
              })}
              <td className={`${cell} font-medium`}>{formatCents(cents)}</td>
            </tr>
          ))}
          {practice.map(({ label, cents }, index) => (
            <tr key={`${label} ${index}`}>
              <th scope="row" colSpan={tools.length + 1} className={first}>
                {label}
              </th>
              <td className={`${cell} font-medium`}>{formatCents(cents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot className="font-medium">
          <tr>
            <th scope="row" colSpan={tools.length + 1} className={first}>
              Total
            </th>
            <td className={cell}>{formatCents(totalCents)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
};
