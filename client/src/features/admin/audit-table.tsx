import type { AuditRow } from '#shared/api/oversight.ts';
import { actionLabel } from '#client/features/admin/labels.ts';
import { Cell, Head, Table } from '#client/features/admin/table.tsx';
import { formatDateTime } from '#client/lib/format.ts';

type Someone = { id: string; name: string | null; email: string | null; type?: string };

const sayer = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** `freeAccessGranted: false → true`, a line for each field. */
const changesOf = ({ before, after }: AuditRow) =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].map((field) => {
    const [was, is] = [before?.[field], after?.[field]];
    if (was === undefined) return `${field}: ${sayer(is)}`;
    return is === undefined ? `${field}: ${sayer(was)}` : `${field}: ${sayer(was)} → ${sayer(is)}`;
  });

const Who = ({ someone, nobody }: { someone: Someone | null; nobody: string }) => {
  if (!someone) return <p className="text-muted">{nobody}</p>;
  const isPerson = someone.type === undefined || someone.type === 'user';
  return (
    <>
      <p className="font-medium break-words">
        {someone.name ?? (isPerson ? 'Closed account' : actionLabel(someone.type ?? ''))}
      </p>
      <p className="text-xs text-muted [overflow-wrap:anywhere]">{someone.email ?? someone.id}</p>
    </>
  );
};

/** A line for each record: when, who, what, to whom. */
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
      return (
        <tr key={row.id}>
          <Cell className="align-top">
            <p className="font-medium" title={row.action}>
              {actionLabel(row.action)}
            </p>
            {changesOf(row).map((change) => (
              <p key={change} className="font-mono text-xs text-muted [overflow-wrap:anywhere]">
                {change}
              </p>
            ))}
            <div className="mt-2 space-y-1 md:hidden">
              <div>
                <p className="text-xs text-muted">Done by</p>
                <Who someone={row.actor} nobody="The system" />
              </div>
              <div>
                <p className="text-xs text-muted">Done to</p>
                <Who someone={row.subject} nobody="–" />
              </div>
              <p className="figures text-xs text-muted">
                {when}
                {row.ip && ` · ${row.ip}`}
              </p>
            </div>
          </Cell>
          <Cell className="align-top max-md:hidden">
            <Who someone={row.actor} nobody="The system" />
          </Cell>
          <Cell className="align-top max-md:hidden">
            <Who someone={row.subject} nobody="–" />
          </Cell>
          <Cell className="figures text-right align-top whitespace-nowrap text-muted max-md:hidden">
            {when}
            {row.ip && <span className="block text-xs">{row.ip}</span>}
          </Cell>
        </tr>
      );
    })}
  </Table>
);
