import { useQueryClient } from '@tanstack/react-query';
import { ShieldX } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Redirect } from 'wouter';
import { contract } from '#shared/api/index.ts';
import { Desk } from '#client/features/admin/desk-navigation.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useUser } from '#client/lib/session/session.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { ButtonLink } from '#client/ui/elements.tsx';
import { Loading } from '#client/ui/query-view.tsx';

const AccessDenied = ({ why = 'You need administrator privileges to access this page.' }: { why?: string }) => {
  useTitle('Access Denied');
  return (
    <div className="flex min-h-[50dvh] flex-col items-center justify-center text-center">
      <ShieldX aria-hidden className="mb-3 size-8 text-danger" />
      <h1 className="text-xl">Access Denied</h1>
      <p className="mt-2 text-muted">{why}</p>
      <ButtonLink href={paths.dashboard} className="mt-6">
        Go to Dashboard
      </ButtonLink>
    </div>
  );
};

/** Leads to setting up a second factor. Answers refused for lack of one are forgotten, so they are asked for again afterwards. */
const ToEnrolment = () => {
  const queryClient = useQueryClient();
  useEffect(() => {
    const refused = ({ queryKey }: { queryKey: readonly unknown[] }) => String(queryKey[0]).startsWith('/api/admin/');
    return () => queryClient.removeQueries({ predicate: refused });
  }, [queryClient]);
  return <Redirect to={paths.security} replace />;
};

const Admitted = ({ children }: { children: ReactNode }) => {
  // Every write needs it. Since it is fetched at load, it also shows whether the person is still an administrator.
  const token = useApiQuery(contract.admin.csrfToken);
  if (token.error?.code === 'admin_required') return <AccessDenied />;
  if (token.error?.code === 'admin_network') return <AccessDenied why={token.error.sentence} />;
  if (token.error?.code === 'factor_required') return <ToEnrolment />;
  return <Desk>{children}</Desk>;
};

/** A page for administrators; everybody else reads why it is not for them. The server checks every call again. */
export const Administrators = ({ children }: { children: ReactNode }) => {
  const { user } = useUser();
  if (!user) return <Loading label="Loading…" skeletons={['h-8 w-56', 'mt-6 h-64']} />;
  return user.isAdmin ? <Admitted>{children}</Admitted> : <AccessDenied />;
};
