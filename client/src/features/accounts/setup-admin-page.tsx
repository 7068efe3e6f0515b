import { Construction } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/index.ts';
import { useMailedToken } from '#client/lib/mailed-token.ts';
import { SetupAdminForm } from '#client/features/accounts/setup-admin-form.tsx';
import { paths } from '#client/lib/paths.ts';
import { useTitle } from '#client/lib/title.ts';
import { Alert } from '#client/ui/alert.tsx';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Card } from '#client/ui/card.tsx';

type Created = Reply<typeof contract.security.setupAdmin>;

const Result = ({ message, email, password, note }: Created) => (
  <>
    <Alert tone="success" announce title={message} className="mt-6" />
    <dl className="mt-5 space-y-3">
      <div>
        <dt className="text-muted">Email</dt>
        <dd className="font-mono break-all">{email}</dd>
      </div>
      <div>
        <dt className="text-muted">Password</dt>
        <dd className="font-mono break-all">{password}</dd>
      </div>
    </dl>
    <p className="mt-5 text-muted">{note}</p>
    <ButtonLink href={paths.auth} size="lg" className="mt-6 w-full">
      Go to Login
    </ButtonLink>
  </>
);

/** /setup-admin: the first administrator, once; in production with the operator's link. */
export default function SetupAdminPage() {
  const { token, forget } = useMailedToken(paths.setupAdmin);
  const [created, setCreated] = useState<Created>();
  useTitle('Set up the administrator');
  return (
    <Card className="mx-auto w-full max-w-[27rem] p-5 text-sm sm:p-8">
      <h1 className="text-xl">Set up the administrator</h1>
      {created ? (
        <Result {...created} />
      ) : (
        <>
          <div className="mt-4 flex gap-3 rounded border border-warning/30 bg-warning-subtle p-3">
            <Construction aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
            <p>
              <strong className="font-medium">Development mode.</strong> This page makes the first administrator, once.
              In production it opens only with the operator&apos;s setup link.
            </p>
          </div>
          <SetupAdminForm
            token={token}
            onCreated={(reply) => {
              forget();
              setCreated(reply);
            }}
          />
        </>
      )}
    </Card>
  );
}
