import { ChevronDown } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { User } from '#shared/api/accounts.ts';
import { useLogout } from '#client/lib/logout.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Button } from '#client/ui/button.tsx';
import { LazyMenu } from '#client/ui/lazy-menu.tsx';
import { Spinner } from '#client/ui/spinner.tsx';

const load = () => import('#client/app/user-menu-entries.tsx');
const Entries = lazy(load);

/** The user's own menu (A §2). Before the profile is complete only what then works is in it. */
export const UserMenu = ({ user }: { user: User }) => {
  const { signOut, pending } = useLogout();
  const name = `${user.firstName} ${user.lastName}`.trim();
  return (
    <LazyMenu
      prepare={() => void load().catch(() => undefined)}
      trigger={
        <Button variant="ghost" className="gap-2 px-1 lg:px-2" aria-label={`Your menu: ${name}`}>
          {pending ? <Spinner className="mx-2" /> : <Avatar person={user} className="size-7!" />}
          <span className="hidden max-w-48 truncate lg:block">{pending ? 'Signing Out…' : name}</span>
          <ChevronDown aria-hidden className="hidden text-muted sm:block" />
        </Button>
      }
    >
      <Suspense fallback={<Spinner className="m-4" />}>
        <Entries user={user} name={name} signOut={signOut} pending={pending} />
      </Suspense>
    </LazyMenu>
  );
};
