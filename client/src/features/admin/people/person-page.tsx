import { useState } from 'react';
import type { AdminPerson } from '#shared/api/admin-person.ts';
import { contract } from '#shared/api/index.ts';
import { formatPhone } from '#shared/rules/australia.ts';
import { cardName } from '#shared/rules/billing/money.ts';
import { AccountDialog } from '#client/features/admin/people/account-dialog.tsx';
import { Administrators } from '#client/features/admin/people/administrators.tsx';
import { Facts, SubjectView } from '#client/features/admin/people/subject-view.tsx';
import { FreeAccessDialog } from '#client/features/admin/people/free-access-dialog.tsx';
import { IdentityDialog } from '#client/features/admin/people/identity-dialog.tsx';
import { Invoices } from '#client/features/admin/billing/invoices.tsx';
import { NextBill } from '#client/features/admin/billing/next-bill.tsx';
import { BillsTold } from '#client/features/admin/people/bills-told.tsx';
import { Timeline } from '#client/features/admin/people/timeline.tsx';
import { Subscriptions } from '#client/features/admin/billing/subscriptions.tsx';
import { UserBadges } from '#client/features/admin/people/users-tab.tsx';
import { formatDay } from '#client/lib/words/format.ts';
import { fullName, membershipLabels } from '#client/lib/session/people.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { AppLink } from '#client/ui/link.tsx';
import { Button } from '#client/ui/button.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';

const TeamLinks = ({ teams }: Pick<AdminPerson, 'teams'>) =>
  teams.map(({ id, name, role }) => (
    <span key={id} className="block">
      <AppLink href={paths.adminTeam(id)} className="underline">
        {name}
      </AppLink>{' '}
      ({role})
    </span>
  ));

const Details = ({ person: { user, card, teams } }: { person: AdminPerson }) => {
  const rows = [
    ['Email', `${user.email}${user.emailVerified ? '' : ' (unverified)'}`],
    ['Mobile', user.mobile && formatPhone(user.mobile)],
    ['Practice', user.businessName],
    ['ABN', user.abn],
    ['AFSL number', user.afslNumber],
    ['Dealer group', user.dealerGroup],
    ['Membership', membershipLabels[user.membershipType]],
    ['Teams', teams.length > 0 && <TeamLinks key="teams" teams={teams} />],
    ['Card', card && cardName(card)],
    ['Second factor', user.hasSecondFactor ? 'Yes' : 'None'],
    ['Member since', formatDay(user.createdAt)],
    ['Stripe customer', user.stripeCustomerId],
  ] as const;
  return <Facts rows={rows} />;
};

const Person = ({ person }: { person: AdminPerson }) => {
  const [dialog, setDialog] = useState<'account' | 'free' | 'identity'>();
  const { user } = person;
  const invoices = useApiQuery(contract.acts.invoices, { params: { id: user.id } }, { refetchOnMount: 'always' });
  const forecast = useApiQuery(contract.admin.userForecast, { params: { id: user.id } }, { refetchOnMount: 'always' });
  const close = () => setDialog(undefined);
  return (
    <>
      <PageHeader
        title={fullName(user)}
        description={user.email}
        badges={<UserBadges user={user} />}
        action={
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => setDialog('free')}>
              {user.freeAccessGranted ? 'Revoke Free Access' : 'Grant Free Access'}
            </Button>
            <Button variant="secondary" onClick={() => setDialog('identity')}>
              Address and rights
            </Button>
            <Button variant="secondary" onClick={() => setDialog('account')}>
              Manage account
            </Button>
          </div>
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-3">
        <div className="min-w-0 space-y-6">
          <Details person={person} />
          <Subscriptions subscriptions={person.subscriptions} />
          <NextBill
            query={forecast}
            name={fullName(user)}
            description="To the user’s own card; their teams pay for themselves"
          />
          <Invoices query={invoices} />
        </div>
        <div className="min-w-0 space-y-6 lg:col-span-2">
          <BillsTold whose={{ kind: 'user', id: user.id }} />
          <Timeline whose={{ kind: 'user', id: user.id }} />
        </div>
      </div>
      {dialog === 'account' && <AccountDialog user={user} onClose={close} />}
      {dialog === 'identity' && <IdentityDialog user={user} onClose={close} />}
      {dialog === 'free' && <FreeAccessDialog user={user} onClose={close} />}
    </>
  );
};

const PersonView = ({ id }: { id: string }) => {
  const query = useApiQuery(contract.admin.user, { params: { id } });
  useTitle(query.data ? fullName(query.data.user) : 'User');
  return (
    <SubjectView kind="user" query={query}>
      {(person) => <Person person={person} />}
    </SubjectView>
  );
};

/** /admin/users/:id: what whoever answers the phone needs to know about a user. */
export default function PersonPage({ params }: { params: Record<string, string> }) {
  return (
    <Administrators>
      <PersonView key={params['userId']} id={params['userId'] ?? ''} />
    </Administrators>
  );
}
