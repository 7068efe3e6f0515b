import type { AuditRow } from '#shared/api/oversight.ts';
import { Cell, Head, Table } from '#client/features/admin/table.tsx';
import { dotted, formatDateTime, sentenceCase } from '#client/lib/words/format.ts';

type Party = { id: string; name: string | null; email: string | null; type?: string };

const PartyName = ({ party, nobody }: { party: Party | null; nobody: string }) => {
  if (!party) return <p className="text-muted">{nobody}</p>;
  const isPerson = party.type === undefined || party.type === 'user';
  return (
    <>
      <p className="font-medium break-words">
        {party.name ?? (isPerson ? 'Closed account' : sentenceCase(party.type ?? ''))}
      </p>
      <p className="text-xs text-muted [overflow-wrap:anywhere]">
        {party.email ?? (isPerson ? '' : party.name && sentenceCase(party.type ?? ''))}
      </p>
    </>
  );
};

export const AuditTable = ({ rows, stale }: { rows: AuditRow[]; stale: boolean }) => (
  <Table
    caption="Audit log"
    stale={stale}
    head={
      <>
        <Head>What</Head>
        <Head className="max-md:hidden">Done by</Head>
        <Head className="max-md:hidden">Done to</Head>
        <Head className="text-right max-md:hidden">When</Head>
      </>
    }
  >
    {rows.map((row) => {
      const when = formatDateTime(row.createdAt);
      const from = dotted([row.device, row.ip]);
      return (
        <tr key={row.id}>
          <Cell className="align-top">
            <p className="font-medium" title={row.action}>
              {row.sentence}
            </p>
            {row.details.map((change) => (
              <p key={change} className="text-xs text-muted [overflow-wrap:anywhere]">
                {change}
              </p>
            ))}
            <div className="mt-2 space-y-1 md:hidden">
              <div>
                <p className="text-xs text-muted">Done by</p>
                <PartyName party={row.actor} nobody="The system" />
              </div>
              <div>
                <p className="text-xs text-muted">Done to</p>
                <PartyName party={row.subject} nobody="–" />
              </div>
              <p className="figures text-xs text-muted">
                {when}
                {from && ` · ${from}`}
              </p>
            </div>
          </Cell>
          <Cell className="align-top max-md:hidden">
            <PartyName party={row.actor} nobody="The system" />
          </Cell>
          <Cell className="align-top max-md:hidden">
            <PartyName party={row.subject} nobody="–" />
          </Cell>
          <Cell className="figures text-right align-top whitespace-nowrap text-muted max-md:hidden">
            {when}
            {from && <span className="block text-xs">{from}</span>}
          </Cell>
        </tr>
      );
    })}
  </Table>
);
