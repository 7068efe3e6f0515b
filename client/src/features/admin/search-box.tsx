import { Search, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Input } from '#client/ui/input.tsx';

const delayMs = 250;

type Props = { label: string; value: string; onSearch: (text: string) => void };

/** Asks a moment after the last letter, at once on Enter. Follows the address when Back is pressed. */
export const SearchBox = ({ label, value, onSearch }: Props) => {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (value !== text.trim()) setText(value);
  }
  useEffect(() => {
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
          placeholder={label}
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
