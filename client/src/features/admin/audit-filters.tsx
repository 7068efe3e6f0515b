import { clsx } from 'clsx';
import { type ReactNode, useId, useState } from 'react';
import type { AuditRow } from '#shared/api/oversight.ts';
import { actionLabel } from '#client/features/admin/labels.ts';
import { type Person, PersonPicker } from '#client/features/admin/person-picker.tsx';
import { Button } from '#client/ui/button.tsx';
import { Select } from '#client/ui/select.tsx';

type Filters = { actor: string; action: string; subject: string };
type Props = {
  actions: string[];
  filters: Filters;
  rows: AuditRow[];
  onChange: (values: Partial<Filters>) => void;
  onClear: (() => void) | undefined;
};

/** Whom the address names by id: somebody who was chosen here, or whom a row names. */
const usePerson = (id: string, named: { id: string; name: string | null; email: string | null } | null | undefined) => {
  const [chosen, setChosen] = useState<Person | null>(null);
  const person: Person | null =
    id === ''
      ? null
      : chosen?.id === id
        ? chosen
        : { id, firstName: named?.name ?? 'User', lastName: '', email: named?.email ?? id };
  const key = person ? `${person.id} ${person.email}` : 'nobody';
  return [person, setChosen, key] as const;
};

/** A label over a control that nobody has to fill. */
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

/** By whom, what, to whom. */
export const AuditFilterBar = ({ actions, filters, rows, onChange, onClear }: Props) => {
  const [actor, setActor, actorKey] = usePerson(
    filters.actor,
    rows.find((row) => row.actor?.id === filters.actor)?.actor,
  );
  const [subject, setSubject, subjectKey] = usePerson(
    filters.subject,
    rows.find((row) => row.subject?.id === filters.subject)?.subject,
  );
  const known = filters.action === '' || actions.includes(filters.action) ? actions : [filters.action, ...actions];
  return (
    <search
      aria-label="Filter the audit log"
      className={clsx(
        'grid items-start gap-x-4 gap-y-3 px-5 pt-4',
        onClear ? 'md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_auto]' : 'md:grid-cols-3',
      )}
    >
      <Filter label="Done by">
        {(id) => (
          <PersonPicker
            id={id}
            key={actorKey}
            value={actor}
            placeholder="Anybody"
            onChange={(person) => {
              setActor(person);
              if (person) onChange({ actor: person.id });
            }}
            onEmpty={() => onChange({ actor: '' })}
          />
        )}
      </Filter>
      <Filter label="Action">
        {(id) => (
          <Select
            id={id}
            placeholder="Any action"
            options={known.map((value) => ({ value, label: actionLabel(value) }))}
            value={filters.action}
            onChange={(event) => onChange({ action: event.target.value })}
          />
        )}
      </Filter>
      <Filter label="Done to">
        {(id) => (
          <PersonPicker
            id={id}
            key={subjectKey}
            value={subject}
            placeholder="Anybody"
            onChange={(person) => {
              setSubject(person);
              if (person) onChange({ subject: person.id });
            }}
            onEmpty={() => onChange({ subject: '' })}
          />
        )}
      </Filter>
      {onClear && (
        <Button variant="ghost" className="md:mt-[1.6rem]" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  );
};
