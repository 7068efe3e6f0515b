import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useToday } from '#client/features/admin/today-count.ts';
import { adminHome, deskRooms } from '#client/lib/pages/desk.ts';
import { AppLink } from '#client/ui/elements.tsx';

/** The pages of one person, practice and tool belong to the room that lists them. */
const listedIn: readonly (readonly [prefix: string, room: string])[] = [
  ['/admin/users/', deskRooms.people.to],
  ['/admin/teams/', deskRooms.practices.to],
  ['/admin/tools/', deskRooms.catalogue.to],
];

/** On a narrow screen the rooms scroll sideways, no further than the open one needs. */
const showIn = (room: HTMLElement | null) => {
  const rooms = room?.closest('nav');
  if (!rooms) return;
  const [item, list] = [room!.getBoundingClientRect(), rooms.getBoundingClientRect()];
  rooms.scrollLeft += Math.max(0, item.right + 16 - list.right) + Math.min(0, item.left - 16 - list.left);
};

/** The administrators' area: its rooms at the left, or above on a narrow screen, and the open one. */
export const Desk = ({ children }: { children: ReactNode }) => {
  const [path] = useLocation();
  const { count } = useToday();
  const here = listedIn.find(([prefix]) => path.startsWith(prefix))?.[1] ?? path;
  return (
    <div className="lg:grid lg:grid-cols-[10rem_minmax(0,1fr)] lg:gap-8">
      <nav
        aria-label="Administration"
        className="screen-only -mx-4 mb-6 overflow-x-auto px-4 max-lg:border-b max-lg:pb-2 sm:-mx-6 sm:px-6 lg:m-0 lg:overflow-visible lg:p-0"
      >
        <ul className="flex gap-1 lg:sticky lg:top-20 lg:flex-col">
          {[adminHome, ...Object.values(deskRooms)].map(({ label, to, icon: Icon }) => (
            <li key={to} ref={to === here ? showIn : undefined}>
              <AppLink
                href={to}
                title={to === deskRooms.today.to && count ? `${count} to do` : undefined}
                aria-current={to === here ? 'page' : undefined}
                className={clsx(
                  'flex h-9 items-center gap-2 rounded px-3 text-sm whitespace-nowrap transition-colors [&_svg]:size-4 [&_svg]:shrink-0',
                  to === here
                    ? 'bg-primary-subtle font-medium text-primary'
                    : 'text-muted hover:bg-surface-subtle hover:text-text',
                )}
              >
                <Icon aria-hidden />
                {label}
                {to === deskRooms.today.to && (
                  // It keeps its room while it is not known, so that nothing moves.
                  <span
                    aria-hidden
                    className={clsx(
                      'figures ml-auto rounded-full bg-danger-subtle px-1.5 text-xs font-medium text-danger',
                      !count && 'invisible',
                    )}
                  >
                    {count ?? 0}
                  </span>
                )}
              </AppLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">{children}</div>
    </div>
  );
};
