import { Download, ListFilter, ScrollText, SearchX } from 'lucide-react';
import { clsx } from 'clsx';
import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { addressOf } from '#shared/api/address.ts';
import type { AuditRow } from '#shared/api/operators/oversight.ts';
import { PagerInAddress, PastLastPage, TableSkeleton, useListAddress } from '#client/features/admin/lists.tsx';
import { AuditTable } from '#client/features/admin/incidents/audit-table.tsx';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { Button, ButtonLink, Panel } from '#client/ui/elements.tsx';
import { EmptyState, QueryView } from '#client/ui/query-view.tsx';
import { type Person, PersonPicker } from '#client/features/admin/people/person-picker.tsx';
import { Switch } from '#client/ui/checkbox.tsx';
import { Field, Select } from '#client/ui/field.tsx';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const AuditLog = () => {
  const { page, get, set } = useListAddress();
  const [actor, action, subject] = [get('actor'), get('action'), get('subject')];
  const filters = {
    ...(uuid.test(actor) && { actor }),
    ...(action !== '' && { action }),
    ...(uuid.test(subject) && { subject }),
  };
  const filtered = Object.keys(filters).length > 0;
  // Half of the log is sign-ins: they show where they are asked for.
  const withSignIns = get('with') === 'sign-ins';
  const shown = { ...filters, ...(action === '' && !withSignIns && { without: 'sign-ins' as const }) };
  const query = useApiQuery(contract.oversight.audit, { query: { page, ...shown } }, { keepPrevious: true });
  const clear = () => set({ actor: '', action: '', subject: '' });
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
      <div className="flex flex-wrap items-center justify-between gap-x-4 px-5 py-4">
        <AuditFilterBar
          actions={(data?.actions ?? []).map((value, index) => ({ value, label: data?.labels[index] ?? value }))}
          filters={{ actor: filters.actor ?? '', action, subject: filters.subject ?? '' }}
          rows={data?.rows ?? []}
          onChange={set}
          onClear={filtered ? clear : undefined}
        />
        {action === '' && (
          <Switch
            label="Show sign-ins"
            checked={withSignIns}
            onChange={() => set({ with: withSignIns ? '' : 'sign-ins' })}
          />
        )}
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
  const [isOpen, setOpen] = useState(false);
  const isListed = filters.action === '' || actions.some(({ value }) => value === filters.action);
  const options = isListed ? actions : [{ value: filters.action, label: filters.action }, ...actions];
  return (
    <search
      aria-label="Filter the audit log"
      className={clsx(
        'grid items-start gap-x-4 md:w-full',
        onClear ? 'md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_auto]' : 'md:grid-cols-3',
        isOpen ? 'w-full' : 'max-md:[&>:not(:first-child)]:hidden',
      )}
    >
      <Button
        variant="secondary"
        className={clsx('justify-self-start md:hidden', isOpen && 'mb-4')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <ListFilter aria-hidden />
        {onClear ? 'Filters (on)' : 'Filters'}
      </Button>
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
        label="About"
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
