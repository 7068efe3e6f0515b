import { clsx } from 'clsx';
import { useId, useRef, useState } from 'react';
import type { AdminUser } from '#shared/api/operators/admin-person.ts';
import { contract } from '#shared/api/index.ts';
import { fullName } from '#client/lib/session/people.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useLater } from '#client/lib/forms/use-debounced.ts';
import { Field, Input } from '#client/ui/field.tsx';

const shown = 8;

export type Person = Pick<AdminUser, 'id' | 'firstName' | 'lastName' | 'email'>;
const textOf = (person: Person | null) => (person ? `${fullName(person)} (${person.email})` : '');

type Props = {
  value: Person | null;
  onChange: (person: AdminUser | null) => void;
  /** It is called on blur or Enter when the field is empty. */
  onEmpty?: () => void;
  placeholder?: string;
};

/** Finds a user by name or email. It searches on the server: there may be a million. */
export const PersonPicker = ({ value, onChange, onEmpty, placeholder = 'Search by name or email' }: Props) => {
  const id = useId();
  const [text, setText] = useState(textOf(value));
  const [known, setKnown] = useState(value);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  if (known !== value) {
    setKnown(value);
    if (value || known) setText(textOf(value));
  }
  const typed = text.trim();
  const asked = useLater(typed);
  const searching = open && typed !== '' && value === null;
  const { data, error, isPlaceholderData, refetch } = useApiQuery(
    contract.admin.users,
    { query: { search: asked, limit: shown } },
    { enabled: searching && asked !== '', keepPrevious: true },
  );
  const people = data && asked !== '' ? data.users : [];
  const current = Math.min(active, people.length - 1);
  const fresh = asked === typed && !isPlaceholderData && data !== undefined;

  const choose = (person: AdminUser) => {
    onChange(person);
    setText(textOf(person));
    setOpen(false);
  };
  const move = (step: number) => {
    setOpen(true);
    if (people.length === 0) return;
    const next = (current + step + people.length) % people.length;
    setActive(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' && searching) {
      // Enter must not submit the form, even before results arrive.
      if (fresh && people[current]) choose(people[current]);
    } else if (event.key === 'Enter' && typed === '' && onEmpty) onEmpty();
    else if (event.key === 'Escape' && searching) setOpen(false);
    else return;
    event.preventDefault();
  };

  const status = () => {
    if (error) return error.sentence;
    if (!fresh) return 'Searching…';
    if (people.length === 0) return 'No users found';
    return data.pagination.total > shown
      ? `The first ${shown} of ${data.pagination.total}${data.pagination.more ? '+' : ''}. Type more to narrow it down.`
      : null;
  };
  const sentence = searching ? status() : null;
  return (
    <div className="relative">
      <Input
        type="text"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-expanded={searching}
        aria-controls={`${id}-list`}
        aria-activedescendant={searching && people[current] ? `${id}-${current}` : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
          setOpen(true);
          if (value) {
            setKnown(null);
            onChange(null);
          }
        }}
        onFocus={(event) => {
          setOpen(true);
          if (value) event.target.select();
          if (error) void refetch();
        }}
        onBlur={() => {
          setOpen(false);
          if (typed === '') onEmpty?.();
        }}
        onKeyDown={onKeyDown}
      />
      <div
        className={clsx(
          'absolute inset-x-0 top-full z-20 mt-1 rounded border bg-surface p-1 shadow-popover',
          !searching && 'hidden',
        )}
      >
        {/* Focus stays in the field, even when an option is clicked. */}
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          tabIndex={-1}
          aria-label="Users"
          className={clsx('max-h-64 overflow-y-auto', !fresh && 'opacity-60')}
        >
          {people.map((person, index) => (
            <div
              key={person.id}
              tabIndex={-1}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === current}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(person)}
              onKeyDown={() => undefined}
              onPointerMove={() => setActive(index)}
              className={clsx('rounded-sm px-2.5 py-1.5 text-sm', index === current && 'bg-surface-subtle')}
            >
              <span className="block font-medium break-words">{fullName(person)}</span>
              <span className="block text-xs text-muted [overflow-wrap:anywhere]">{person.email}</span>
            </div>
          ))}
        </div>
        {sentence && <p className="px-2.5 py-1.5 text-xs text-muted">{sentence}</p>}
      </div>
      <output className="sr-only">
        {searching && fresh && people.length > 0
          ? `${people.length} ${people.length === 1 ? 'user' : 'users'} found`
          : ''}
      </output>
    </div>
  );
};

type FieldProps = {
  form: {
    watch(name: 'userId'): string;
    setValue(name: 'userId', value: string, options: { shouldDirty: true }): void;
    trigger(name: 'userId'): Promise<boolean>;
    errorOf(name: 'userId'): string | undefined;
  };
  label: string;
  help?: string;
  onChoose?: (person: Person | null) => void;
};

/** The user that a form is about. Once the form is reset, it is empty again. */
export const PersonField = ({ form, label, help, onChoose }: FieldProps) => {
  const [chosen, setChosen] = useState<Person | null>(null);
  const choose = (next: Person | null) => {
    setChosen(next);
    onChoose?.(next);
    form.setValue('userId', next?.id ?? '', { shouldDirty: true });
    if (next) void form.trigger('userId');
  };
  return (
    <Field label={label} help={help} error={form.errorOf('userId')}>
      <PersonPicker value={form.watch('userId') === '' ? null : chosen} onChange={choose} />
    </Field>
  );
};
