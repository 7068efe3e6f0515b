import { clsx } from 'clsx';
import { ChevronDown, CircleHelp, Gauge, LayoutDashboard, Search } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { User } from '#shared/api/accounts.ts';
import { Logo } from '#client/app/logo.tsx';
import { ThemeSelect } from '#client/app/theme-select.tsx';
import { VerifyBanner } from '#client/features/accounts/verify-banner.tsx';
import { Bell } from '#client/features/notifications/bell.tsx';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { LazyMenu } from '#client/lib/pages/lazy-menu.tsx';
import { useLogout } from '#client/lib/session/logout.ts';
import { fullName } from '#client/lib/session/people.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useProofQuestion } from '#client/lib/session/proof.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Button, ButtonLink, Spinner } from '#client/ui/elements.tsx';

const load = () => import('#client/app/user-menu-entries.tsx');

const UserMenu = ({ user, onSearch }: { user: User; onSearch: () => void }) => {
  const { signOut, pending } = useLogout();
  const name = fullName(user);
  return (
    <LazyMenu
      load={load}
      give={{ user, name, signOut, pending, onSearch }}
      trigger={
        <Button variant="ghost" className="-mr-2 gap-2 px-2!" aria-label={`Your menu: ${name}`}>
          {pending ? <Spinner className="mx-2" /> : <Avatar person={user} className="size-7!" />}
          <span className="hidden max-w-48 truncate lg:block">{pending ? 'Signing Out…' : name}</span>
          <ChevronDown aria-hidden className="hidden text-muted sm:block" />
        </Button>
      }
    />
  );
};

const [ProofDialog] = lazyDialog(() => import('#client/features/accounts/proof-dialog.tsx'));

const [CommandPalette, preparePalette] = lazyDialog(() => import('#client/app/command-palette.tsx'));

/** Ctrl or ⌘ K, wherever the focus is. */
const usePalette = (enabled: boolean) => {
  const [open, setOpen] = useState(false);
  // A layout effect: the key works as soon as the Search button is in sight.
  useLayoutEffect(() => {
    if (!enabled) return;
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      setOpen((last) => !last);
    };
    document.addEventListener('keydown', toggle);
    return () => document.removeEventListener('keydown', toggle);
  }, [enabled]);
  return [open, setOpen] as const;
};

/** The dashboard's help button floats in the corner. */
const floating = 'fixed right-4 bottom-4 z-10 size-11! rounded-full! shadow-popover sm:right-6 sm:bottom-6';
const hidden = 'max-sm:not-focus-visible:pointer-events-none max-sm:not-focus-visible:opacity-0';

/** On a phone it covers what is read: gone while somebody scrolls down, back once they scroll up. */
const useScrollsDown = () => {
  const [down, setDown] = useState(false);
  useEffect(() => {
    let last = scrollY;
    const look = () => {
      setDown(scrollY > last && scrollY > 0);
      last = scrollY;
    };
    document.addEventListener('scroll', look, { passive: true });
    return () => document.removeEventListener('scroll', look);
  }, []);
  return down;
};

const compact = 'max-md:size-9 max-md:px-0 max-sm:size-11';

/** Header and main landmark of signed-in pages. Visitors do not download it. */
export default function SignedInShell({ user, children }: { user: User; children: ReactNode }) {
  const [path] = useLocation();
  const question = useProofQuestion();
  const [searching, setSearching] = usePalette(user.profileCompleted);
  const down = useScrollsDown();
  const atHome = path === paths.home || path === paths.dashboard;
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="screen-only sticky top-0 z-20 border-b bg-surface">
        <div className="mx-auto flex h-14 max-w-content items-center justify-between gap-2 px-4 sm:px-6">
          <Logo />
          <nav aria-label="Main" className="flex items-center sm:gap-1">
            {user.profileCompleted && user.isAdmin && !path.startsWith(paths.admin) && (
              <ButtonLink href={paths.admin} variant="ghost" title="Admin Dashboard" className={compact}>
                <LayoutDashboard aria-hidden />
                <span className="max-md:sr-only">Admin Dashboard</span>
              </ButtonLink>
            )}
            {user.profileCompleted && !atHome && (
              // It is hidden where there is no room: the logo leads there as well.
              <ButtonLink
                href={paths.dashboard}
                variant="ghost"
                title="Dashboard"
                className={clsx(compact, user.isAdmin && 'max-[23rem]:hidden')}
              >
                <Gauge aria-hidden />
                <span className="max-md:sr-only">Dashboard</span>
              </ButtonLink>
            )}
            {user.profileCompleted && (
              <Button
                variant="ghost"
                size="icon"
                className="max-md:hidden"
                title="Search (Ctrl K)"
                aria-label="Search"
                aria-keyshortcuts="Control+K Meta+K"
                onPointerEnter={preparePalette}
                onClick={() => setSearching(true)}
              >
                <Search aria-hidden />
              </Button>
            )}
            <ButtonLink
              href={paths.help}
              variant={atHome ? 'primary' : 'ghost'}
              title="Help"
              aria-label="Help"
              className={clsx('px-0', atHome ? floating : 'size-9 max-sm:size-11', atHome && down && hidden)}
            >
              <CircleHelp aria-hidden />
            </ButtonLink>
            <ThemeSelect className="max-sm:hidden" />
            {user.profileCompleted && <Bell />}
            <UserMenu user={user} onSearch={() => setSearching(true)} />
          </nav>
        </div>
      </header>
      {user.profileCompleted && path !== paths.verifyEmail && (
        <VerifyBanner user={user} quiet={path.startsWith(paths.subscribe(''))} />
      )}
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-content flex-1 px-4 py-6 outline-none sm:px-6 sm:py-8 data-home:pb-20 xl:data-home:pt-6 min-[86rem]:data-home:pb-8"
        data-home={atHome || undefined}
      >
        {children}
      </main>
      <CommandPalette user={user} open={searching} onClose={() => setSearching(false)} />
      <ProofDialog user={user} open={question !== null} onAnswer={(proved) => question?.answer(proved)} />
    </div>
  );
}
