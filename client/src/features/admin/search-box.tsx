import { Search, SearchX, X } from 'lucide-react';
import { useLayoutEffect, useState } from 'react';
import { useListAddress } from '#client/features/admin/list-address.ts';
import { Button } from '#client/ui/button.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { Input } from '#client/ui/input.tsx';

const delayMs = 250;

const label = 'Search by name or email';

/** Searches 250 ms after the last keystroke, or at once on Enter. Follows the address when Back is pressed. */
export const SearchBox = ({ placeholder = label }: { placeholder?: string }) => {
  const { get, set } = useListAddress();
  const value = get('search');
  // Further letters of a search replace its entry in the history.
  const onSearch = (search: string) => set({ search }, value !== '' && search !== '');
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (value !== text.trim()) setText(value);
  }
  // A layout effect is cleaned up when the page is left; others live on, hidden, until the next page's code arrives.
  useLayoutEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => onSearch(text.trim()), delayMs);
    return () => clearTimeout(timer);
  });
  return (
    <search className="relative w-full sm:w-72">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted" />
        <Input
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          aria-label={label}
          placeholder={placeholder}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="px-9"
        />
        {text !== '' && (
          <button
            type="button"
            aria-label="Clear search"
            title="Clear search"
            onClick={() => {
              setText('');
              onSearch('');
            }}
            className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded text-muted hover:text-text"
          >
            <X aria-hidden className="size-4" />
          </button>
        )}
      </form>
    </search>
  );
};

export const NothingFound = ({ title, description }: { title: string; description: string }) => {
  const { set } = useListAddress();
  return (
    <EmptyState
      icon={<SearchX />}
      title={title}
      description={description}
      action={
        <Button variant="secondary" onClick={() => set({ search: '' })}>
          Clear Search
        </Button>
      }
    />
  );
};
