import { ShieldX } from 'lucide-react';
import { paths } from '#client/lib/paths.ts';
import { useTitle } from '#client/lib/title.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';

/** What anybody else finds at /admin (B §2). */
export const AccessDenied = () => {
  useTitle('Access Denied');
  return (
    <div className="flex min-h-[50dvh] flex-col items-center justify-center text-center">
      <ShieldX aria-hidden className="mb-3 size-8 text-danger" />
      <h1 className="text-xl">Access Denied</h1>
      <p className="mt-2 text-muted">You need administrator privileges to access this page.</p>
      <ButtonLink href={paths.dashboard} className="mt-6">
        Go to Dashboard
      </ButtonLink>
    </div>
  );
};
