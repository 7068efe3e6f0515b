import { Download } from 'lucide-react';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/index.ts';
import { ChangePasswordForm } from '#client/features/accounts/change-password-form.tsx';
import { CloseAccount } from '#client/features/accounts/close-account.tsx';
import { SessionList } from '#client/features/accounts/session-list.tsx';
import { addressOf } from '#client/lib/request.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';

/** Password, sessions, and one's data (decisions §3). */
export const SecurityTab = ({ user }: { user: User }) => (
  <div className="space-y-6">
    <Card>
      <CardHeader title="Password" description="Changing it signs out your other devices." />
      <CardBody>
        <ChangePasswordForm email={user.email} />
      </CardBody>
    </Card>
    <Card>
      <CardHeader title="Sessions" description="Where your account is signed in." />
      <CardBody className="pt-2!">
        <SessionList />
      </CardBody>
    </Card>
    <Card>
      <CardHeader title="Your data" description="Everything we hold about you, as a JSON file." />
      <CardBody>
        <ButtonLink href={addressOf(contract.security.exportAccount)} download variant="secondary">
          <Download aria-hidden />
          Download my data
        </ButtonLink>
      </CardBody>
    </Card>
    <Card>
      <CardHeader
        title="Close account"
        description="Ends your subscriptions and erases your details. This can't be undone."
      />
      <CardBody>
        <CloseAccount email={user.email} />
      </CardBody>
    </Card>
  </div>
);
