import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useToday } from '#client/features/admin/today-count.ts';
import { adminHome, deskRooms } from '#client/lib/pages/desk.ts';
import { AppLink, Button } from '#client/ui/elements.tsx';

/** The pages of one person, practice and tool belong to the room that lists them. */
const listedIn: readonly (readonly [prefix: string, room: string])[] = [
  ['/admin/users/', deskRooms.people.to],
  ['/admin/teams/', deskRooms.practices.to],
  ['/admin/tools/', deskRooms.catalogue.to],
];

const rooms = [adminHome, ...Object.values(deskRooms)];

/** How much there is to do. It keeps its room while it is not known, so that nothing moves. */
const ToDo = ({ count }: { count: number | undefined }) => (
  <span
    aria-hidden
    className={clsx(
      'figures ml-auto rounded-full bg-danger-subtle px-1.5 text-xs font-medium text-danger',
      !count && 'invisible',
    )}
  >
    {count ?? 0}
  </span>
);

/** The administrators' area: its rooms at the left, or behind one button on a narrow screen, and the open one. */
export const Desk = ({ children }: { children: ReactNode }) => {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const { count } = useToday();
  const here = listedIn.find(([prefix]) => path.startsWith(prefix))?.[1] ?? path;
  const { label: open, icon: OpenIcon } = rooms.find(({ to }) => to === here) ?? adminHome;
  const shut = ({ key, currentTarget }: KeyboardEvent<HTMLElement>) => {
    if (key !== 'Escape' || !isOpen) return;
    currentTarget.closest('nav')?.querySelector('button')?.focus();
    setOpen(false);
  };
  return (
    <div className="lg:grid lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-8">
      <nav aria-label="Administration" className="screen-only relative mb-6 lg:m-0">
        <Button
          variant="secondary"
          className="w-full justify-start! sm:w-72 lg:hidden"
          aria-expanded={isOpen}
          onKeyDown={shut}
          onClick={() => setOpen(!isOpen)}
        >
          <OpenIcon aria-hidden />
          <span>{open}</span>
          <ToDo count={count} />
          <ChevronDown aria-hidden className={clsx('transition-transform', isOpen && 'rotate-180')} />
        </Button>
        <ul
          className={clsx(
            'flex flex-col gap-1 lg:sticky lg:top-20',
            'max-lg:absolute max-lg:z-10 max-lg:mt-1 max-lg:w-full max-lg:rounded max-lg:border max-lg:bg-surface max-lg:p-1 max-lg:shadow-popover sm:max-lg:w-72',
            !isOpen && 'max-lg:hidden',
          )}
        >
          {rooms.map(({ label, to, icon: Icon }) => (
            <li key={to}>
              <AppLink
                href={to}
                title={to === deskRooms.today.to && count ? `${count} to do` : undefined}
                aria-current={to === here ? 'page' : undefined}
                onKeyDown={shut}
                onClick={() => setOpen(false)}
                className={clsx(
                  'flex h-9 items-center gap-2 rounded px-3 text-sm whitespace-nowrap transition-colors max-sm:h-11 [&_svg]:size-4 [&_svg]:shrink-0',
                  to === here
                    ? 'bg-primary-subtle font-medium text-primary'
                    : 'text-muted hover:bg-surface-subtle hover:text-text',
                )}
              >
                <Icon aria-hidden />
                {label}
                {to === deskRooms.today.to && <ToDo count={count} />}
              </AppLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">{children}</div>
    </div>
  );
};
