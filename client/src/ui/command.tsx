import * as Radix from '@radix-ui/react-dialog';
import { clsx } from 'clsx';
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { useReturnedFocus } from '#client/ui/return-focus.ts';

type Props = {
  open: boolean;
  onClose: () => void;
  /** Names the dialog for assistive technology. */
  title: string;
  placeholder: string;
  search: string;
  onSearch: (search: string) => void;
  /** A text as it is compared. */
  searchable: (text: string) => string;
  /** Keys and what they do, below the list. */
  footer?: ReactNode;
  /** CommandGroups. */
  children: ReactNode;
};

/** Every word typed has to occur; it scores more if each one begins a word. */
const scoreBy =
  (searchable: Props['searchable']) =>
  (value: string, search: string, keywords: string[] = []) => {
    const text = ` ${searchable([value, ...keywords].join(' '))}`;
    const typed = searchable(search).split(' ').filter(Boolean);
    if (!typed.every((word) => text.includes(word))) return 0;
    return typed.every((word) => text.includes(` ${word}`)) ? 1 : 0.5;
  };

/** A dialog of commands, with a field that filters them. */
export const CommandDialog = ({ open, onClose, title, placeholder, search, onSearch, searchable, ...rest }: Props) => (
  <Radix.Root open={open} onOpenChange={onClose}>
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-[rgb(8_12_16/0.5)]" />
      <Radix.Content
        aria-describedby={undefined}
        {...useReturnedFocus()}
        className="fixed inset-x-4 top-[12dvh] z-40 mx-auto max-w-prose animate-fade-in overflow-hidden rounded border bg-surface shadow-popover focus:outline-none"
      >
        <Radix.Title className="sr-only">{title}</Radix.Title>
        <Command loop label={title} filter={scoreBy(searchable)}>
          <div className="flex items-center gap-3 border-b px-4">
            <Search aria-hidden className="size-4 shrink-0 text-muted" />
            <Command.Input
              value={search}
              onValueChange={onSearch}
              placeholder={placeholder}
              maxLength={100}
              className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none sm:text-sm"
            />
          </div>
          <Command.List className="max-h-[min(24rem,60dvh)] scroll-py-2 overflow-y-auto p-2">
            {rest.children}
          </Command.List>
        </Command>
        {rest.footer && <div className="border-t px-4 py-2 text-xs text-muted max-sm:hidden">{rest.footer}</div>}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);

export const CommandGroup = ({ className, ...rest }: ComponentProps<typeof Command.Group>) => (
  <Command.Group
    {...rest}
    className={clsx(
      '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted',
      className,
    )}
  />
);

export const CommandItem = ({ className, ...rest }: ComponentProps<typeof Command.Item>) => (
  <Command.Item
    {...rest}
    className={clsx(
      'flex min-h-10 cursor-pointer items-center gap-3 rounded-sm px-2 py-1.5 text-sm select-none sm:min-h-9',
      'data-[selected=true]:bg-surface-subtle [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted',
      className,
    )}
  />
);

/** It is shown when nothing matches. */
export const CommandEmpty = ({ children }: { children: ReactNode }) => (
  <Command.Empty className="px-2 py-6 text-center text-sm text-muted">{children}</Command.Empty>
);
