import { Download, ScrollText, SearchX } from 'lucide-react';
import { clsx } from 'clsx';
import { Fragment, useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { addressOf } from '#shared/api/address.ts';
import type { AuditRow } from '#shared/api/operators/oversight.ts';
import {
  Cell,
  Folded,
  PagerInAddress,
  PastLastPage,
  Table,
  TableSkeleton,
  useListAddress,
} from '#client/features/admin/lists.tsx';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { Button, ButtonLink, Panel, TextLink } from '#client/ui/elements.tsx';
import { EmptyState, QueryView } from '#client/ui/query-view.tsx';
import { dotted, formatDay, sentenceCase, timeOfDay } from '#client/lib/words/format.ts';
import { type Person, PersonPicker } from '#client/features/admin/people/person-picker.tsx';
import { Switch } from '#client/ui/checkbox.tsx';
import { Field, Select } from '#client/ui/field.tsx';
import { paths } from '#client/lib/pages/paths.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const AuditLog = () => {
  const { page, get, set } = useListAddress();
  const [actor, action, subject] = [get('actor'), get('action'), get('subject')];
  const hidden = get('without') === 'sign-ins';
  const filters = {
    ...(uuid.test(actor) && { actor }),
    ...(action !== '' && { action }),
    ...(uuid.test(subject) && { subject }),
    ...(hidden && { without: 'sign-ins' as const }),
  };
  const filtered = Object.keys(filters).length > 0;
  const query = useApiQuery(contract.oversight.audit, { query: { page, ...filters } }, { keepPrevious: true });
  const clear = () => set({ actor: '', action: '', subject: '', without: '' });
  const { data } = query;
  return (
    <Panel
      title="Audit log"
      description={
        data?.pagination.more
          ? `The newest ${data.pagination.total.toLocaleString('en-AU')} records. Filters lead to older ones; the export holds all.`
          : 'What administrators and users did, newest first.'
      }
      action={
        <ButtonLink
          href={addressOf(contract.oversight.auditCsv, { query: filters })}
          download
          variant="secondary"
          size="sm"
        >
          <Download aria-hidden />
          Export CSV
        </ButtonLink>
      }
      bodyClassName="p-0!"
    >
      <AuditFilterBar
        actions={(data?.actions ?? []).map((value, index) => ({ value, label: data?.labels[index] ?? value }))}
        filters={{ actor: filters.actor ?? '', action, subject: filters.subject ?? '' }}
        rows={data?.rows ?? []}
        onChange={set}
        onClear={filtered ? clear : undefined}
      />
      <div className="px-5 pb-4">
        <Switch label="Hide sign-ins" checked={hidden} onChange={() => set({ without: hidden ? '' : 'sign-ins' })} />
      </div>
      <div>
        <QueryView
          query={query}
          failedTitle="The audit log could not be loaded"
          loading={<TableSkeleton label="Loading the audit log" rows={6} />}
          isEmpty={({ rows }) => rows.length === 0}
          empty={
            page > 1 ? (
              <PastLastPage icon={<ScrollText />} totalPages={data?.pagination.totalPages} />
            ) : filtered ? (
              <EmptyState
                icon={<SearchX />}
                title="No entries match"
                action={
                  <Button variant="secondary" onClick={clear}>
                    Clear filters
                  </Button>
                }
              />
            ) : (
              <EmptyState icon={<ScrollText />} title="No entries yet" />
            )
          }
        >
          {({ rows }) => <AuditTable rows={rows} stale={query.isPlaceholderData} />}
        </QueryView>
      </div>
      {data && <PagerInAddress label="the audit log" totalPages={data.pagination.totalPages} />}
    </Panel>
  );
};

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

const AuditRowView = ({ row }: { row: AuditRow }) => {
  const when = timeOfDay(row.createdAt);
  const from = row.ip !== null && row.sentence.includes(row.ip) ? '' : dotted([row.device, row.ip]);
  const subject = row.subject?.id === row.actor?.id ? null : row.subject;
  const who = <PartyName party={row.actor} nobody="The system" />;
  return (
    <tr>
      <Cell className="figures align-top whitespace-nowrap text-muted max-md:hidden">{when}</Cell>
      <Cell className="w-36 align-top max-md:hidden">{who}</Cell>
      <Cell className="align-top max-md:px-5">
        <p className="flex items-baseline justify-between gap-3 md:hidden">
          <span className="min-w-0 [overflow-wrap:anywhere]">{who}</span>
          <span className="figures shrink-0 text-xs text-muted">{when}</span>
        </p>
        <p className="[overflow-wrap:anywhere]">{row.sentence}</p>
        <Folded summary="" lines={[...row.details, from]} />
      </Cell>
      <Cell className="w-36 align-top max-md:hidden">
        <PartyName party={subject} nobody="" />
      </Cell>
    </tr>
  );
};

const AuditTable = ({ rows, stale }: { rows: AuditRow[]; stale: boolean }) => (
  <Table
    caption="Audit log"
    stale={stale}
    columns={[
      ['Time', 'max-md:hidden'],
      ['Who', 'max-md:hidden'],
      ['What', 'max-md:px-5'],
      ['To whom', 'max-md:hidden'],
    ]}
  >
    {rows.map((row, index) => {
      const day = formatDay(row.createdAt);
      const before = rows[index - 1];
      return (
        <Fragment key={row.id}>
          {(!before || formatDay(before.createdAt) !== day) && (
            <tr>
              <th colSpan={4} scope="colgroup" className="figures px-5 pt-4 pb-2 text-left font-semibold">
                {day}
              </th>
            </tr>
          )}
          <AuditRowView row={row} />
        </Fragment>
      );
    })}
  </Table>
);

type Filters = { actor: string; action: string; subject: string };
type Option = { value: string; label: string };
type Props = {
  actions: Option[];
  filters: Filters;
  rows: AuditRow[];
  onChange: (values: Partial<Filters>) => void;
  onClear: (() => void) | undefined;
};

type Named = { id: string; name: string | null; email: string | null };
type PersonFilterProps = {
  label: string;
  userId: string;
  /** The person with that id, if a row of the log names them. */
  named: Named | null | undefined;
  onChange: (userId: string) => void;
};

const PersonFilter = ({ label, userId, named, onChange }: PersonFilterProps) => {
  const [chosen, setChosen] = useState<Person | null>(null);
  const person: Person | null =
    userId === ''
      ? null
      : chosen?.id === userId
        ? chosen
        : { id: userId, firstName: named?.name ?? 'User', lastName: '', email: named?.email ?? userId };
  return (
    <Field label={label} required={false}>
      <PersonPicker
        key={person ? `${person.id} ${person.email}` : 'nobody'}
        value={person}
        placeholder="Anybody"
        onChange={(next) => {
          setChosen(next);
          if (next) onChange(next.id);
        }}
        onEmpty={() => onChange('')}
      />
    </Field>
  );
};

const AuditFilterBar = ({ actions, filters, rows, onChange, onClear }: Props) => {
  const isListed = filters.action === '' || actions.some(({ value }) => value === filters.action);
  const options = isListed ? actions : [{ value: filters.action, label: filters.action }, ...actions];
  return (
    <search
      aria-label="Filter the audit log"
      className={clsx(
        'grid items-start gap-x-4 px-5 pt-4',
        onClear ? 'md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_auto]' : 'md:grid-cols-3',
      )}
    >
      <PersonFilter
        label="Who"
        userId={filters.actor}
        named={rows.find(({ actor }) => actor?.id === filters.actor)?.actor}
        onChange={(actor) => onChange({ actor })}
      />
      <Field label="Action" required={false}>
        <Select
          placeholder="Any action"
          options={options}
          value={filters.action}
          onChange={(event) => onChange({ action: event.target.value })}
        />
      </Field>
      <PersonFilter
        label="To whom"
        userId={filters.subject}
        named={rows.find(({ subject }) => subject?.id === filters.subject)?.subject}
        onChange={(subject) => onChange({ subject })}
      />
      {onClear && (
        <Button variant="ghost" className="md:mt-[1.6rem]" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  );
};
