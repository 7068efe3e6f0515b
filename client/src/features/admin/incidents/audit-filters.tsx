import { clsx } from 'clsx';
import { type ReactNode, useId, useState } from 'react';
import type { AuditRow } from '#shared/api/oversight.ts';
import { type Person, PersonPicker } from '#client/features/admin/people/person-picker.tsx';
import { Button } from '#client/ui/button.tsx';
import { Select } from '#client/ui/form.tsx';

type Filters = { actor: string; action: string; subject: string };
type Option = { value: string; label: string };
type Props = {
  actions: Option[];
  filters: Filters;
  rows: AuditRow[];
  onChange: (values: Partial<Filters>) => void;
  onClear: (() => void) | undefined;
};

const Filter = ({ label, children }: { label: string; children: (id: string) => ReactNode }) => {
  const id = useId();
  return (
    <div className="min-w-0 space-y-1.5">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      {children(id)}
    </div>
  );
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
    <Filter label={label}>
      {(id) => (
        <PersonPicker
          id={id}
          key={person ? `${person.id} ${person.email}` : 'nobody'}
          value={person}
          placeholder="Anybody"
          onChange={(next) => {
            setChosen(next);
            if (next) onChange(next.id);
          }}
          onEmpty={() => onChange('')}
        />
      )}
    </Filter>
  );
};

export const AuditFilterBar = ({ actions, filters, rows, onChange, onClear }: Props) => {
  const isKnown = filters.action === '' || actions.some(({ value }) => value === filters.action);
  const known = isKnown ? actions : [{ value: filters.action, label: filters.action }, ...actions];
  return (
    <search
      aria-label="Filter the audit log"
      className={clsx(
        'grid items-start gap-x-4 gap-y-3 px-5 pt-4',
        onClear ? 'md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_auto]' : 'md:grid-cols-3',
      )}
    >
      <PersonFilter
        label="Done by"
        userId={filters.actor}
        named={rows.find(({ actor }) => actor?.id === filters.actor)?.actor}
        onChange={(actor) => onChange({ actor })}
      />
      <Filter label="Action">
        {(id) => (
          <Select
            id={id}
            placeholder="Any action"
            options={known}
            value={filters.action}
            onChange={(event) => onChange({ action: event.target.value })}
          />
        )}
      </Filter>
      <PersonFilter
        label="Done to"
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
