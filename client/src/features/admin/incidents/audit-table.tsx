import { ChevronDown } from 'lucide-react';
import { clsx } from 'clsx';
import { useState } from 'react';
import type { AuditRow } from '#shared/api/operators/oversight.ts';
import { Cell, Table } from '#client/features/admin/lists.tsx';
import { Button, TextLink } from '#client/ui/elements.tsx';
import { dotted, formatDay, sentenceCase, timeOfDay } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';

type Party = { id: string; name: string | null; email: string | null; type?: string };

const nameOf = ({ name, type }: Party) =>
  name ?? (type === undefined || type === 'user' ? 'Closed account' : sentenceCase(type));

const pageOf = ({ id, name, type = 'user' }: Party) => {
  if (name === null) return null;
  if (type === 'user') return paths.adminUser(id);
  return type === 'team' ? paths.adminTeam(id) : type === 'tool' ? paths.adminTool(id) : null;
};

/** The email address is shown on hover; the page behind the link has it too. */
const PartyName = ({ party, nobody }: { party: Party | null; nobody: string }) => {
  const page = party && pageOf(party);
  if (!party) return <span className="text-muted">{nobody}</span>;
  return page ? (
    <TextLink href={page} title={party.email ?? undefined}>
      {nameOf(party)}
    </TextLink>
  ) : (
    <span className="font-medium">{nameOf(party)}</span>
  );
};

/** `begins`: it is the first row of its day. */
const AuditRowView = ({ row, begins }: { row: AuditRow; begins: boolean }) => {
  const [isOpen, setOpen] = useState(false);
  const [day, time] = [formatDay(row.createdAt), timeOfDay(row.createdAt)];
  const details = [...row.details, dotted([row.device, row.ip])].filter((line) => line !== '');
  const isOwn = row.subject !== null && row.subject.id === row.actor?.id;
  const subject = isOwn ? null : row.subject;
  const who = <PartyName party={row.actor} nobody="The system" />;
  return (
    <tr className="[overflow-wrap:anywhere]">
      <Cell className="figures align-top font-medium whitespace-nowrap max-md:hidden">
        <span className={clsx(!begins && 'sr-only')}>{day}</span>
      </Cell>
      <Cell className="figures align-top whitespace-nowrap text-muted max-md:hidden">{time}</Cell>
      <Cell className="w-32 align-top max-md:hidden">{who}</Cell>
      <Cell className="align-top max-md:pl-5">
        <p>{row.sentence}</p>
        <p className="figures text-xs text-muted md:hidden">
          {who}
          {subject && (
            <>
              <span> · </span>
              <PartyName party={subject} nobody="" />
            </>
          )}
          <span className="block">{`${day}, ${time}`}</span>
        </p>
        {isOpen && (
          <ul className="figures mt-1 space-y-0.5 text-xs text-muted">
            {details.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ul>
        )}
      </Cell>
      <Cell className="w-32 align-top max-md:hidden">
        <PartyName party={subject} nobody={isOwn ? 'Themselves' : '–'} />
      </Cell>
      <Cell className="w-9 py-0.5! align-top max-md:pr-1!">
        {details.length > 0 && (
          <Button
            variant="ghost"
            size="icon"
            aria-expanded={isOpen}
            aria-label={`Details: ${row.sentence}`}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronDown aria-hidden className={clsx('text-muted transition-transform', isOpen && 'rotate-180')} />
          </Button>
        )}
      </Cell>
    </tr>
  );
};

/** The log, each day named once; what is more to know about a row unfolds. */
export const AuditTable = ({ rows, stale }: { rows: AuditRow[]; stale: boolean }) => (
  <Table
    caption="Audit log"
    stale={stale}
    columns={[
      ['Day', 'max-md:hidden'],
      ['Time', 'max-md:hidden'],
      ['Who', 'max-md:hidden'],
      ['What', 'max-md:pl-5'],
      ['About', 'max-md:hidden'],
      ['Details', 'sr-only'],
    ]}
  >
    {rows.map((row, index) => {
      const before = rows[index - 1];
      return (
        <AuditRowView
          key={row.id}
          row={row}
          begins={!before || formatDay(before.createdAt) !== formatDay(row.createdAt)}
        />
      );
    })}
  </Table>
);
