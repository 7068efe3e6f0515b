import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { factsOf, laterFields, type ProfileTab } from '#shared/rules/people/profile.ts';
import type { AdminPerson, AdminUser } from '#shared/api/operators/admin-person.ts';
import { contract } from '#shared/api/index.ts';
import { cardName } from '#shared/rules/billing/money.ts';
import { reason } from '#shared/api/operators/acts.ts';
import { useApiQuery, useFreshQuery, write } from '#client/lib/calls/use-api.ts';
import { profileLabels } from '#client/lib/words/profile-labels.ts';
import {
  type AccountAct,
  accountActLabel,
  accountActs,
  AccountDialog,
} from '#client/features/admin/people/account-dialog.tsx';
import { Administrators } from '#client/features/admin/people/administrators.tsx';
import { Facts, SubjectTabs, SubjectView } from '#client/features/admin/people/subject-view.tsx';
import { ActsButton } from '#client/features/admin/acts.tsx';
import { Waiting } from '#client/features/admin/people/waiting.tsx';
import { FreeAccessDialog } from '#client/features/admin/people/free-access-dialog.tsx';
import { Invoices } from '#client/features/admin/billing/invoices.tsx';
import { PayerBill } from '#client/features/admin/billing/payer-bill.tsx';
import { BillsTold } from '#client/features/admin/people/bills-told.tsx';
import { Timeline } from '#client/features/admin/people/timeline.tsx';
import { Subscriptions } from '#client/features/admin/billing/subscriptions.tsx';
import { membershipOf, UserBadges } from '#client/features/admin/people/user-table.tsx';
import { formatDay } from '#client/lib/words/format.ts';
import { fullName } from '#client/lib/session/people.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Button, PageHeader, Panel, TextLink } from '#client/ui/elements.tsx';
import { ActForm, closeAndTell, Preview } from '#client/features/admin/act-form.tsx';
import { useApiForm } from '#client/lib/forms/form.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { TextField } from '#client/ui/form.tsx';

const TeamLinks = ({ teams }: Pick<AdminPerson, 'teams'>) =>
  teams.map(({ id, name, role }) => (
    <span key={id} className="block">
      <TextLink href={paths.adminTeam(id)}>{name}</TextLink> ({role})
    </span>
  ));

const addressFields: readonly string[] = ['businessCity', 'businessState', 'businessPostcode'];

/** Every field on that tab of the profile but the name, which is the page's heading; the address on one line. */
const profileRows = (user: AdminPerson['user'], tab: ProfileTab) =>
  laterFields
    .filter((name) => factsOf(name).tab === tab && !addressFields.includes(name))
    .map((name) => {
      const value = user[name];
      const { businessAddress: street, businessCity, businessState, businessPostcode } = user;
      const town = [businessCity, businessState, businessPostcode].filter(Boolean).join(' ');
      const text = Array.isArray(value) ? value.join(', ') : value && (factsOf(name).tidy?.format(value) ?? value);
      const shown = name === 'businessAddress' ? [street, town].filter(Boolean).join(', ') : text;
      return [profileLabels[name], shown, factsOf(name).optional === true] as const;
    });

const Details = ({ person: { user, card, teams } }: { person: AdminPerson }) => {
  const groups = [
    ['Contact', profileRows(user, 'personal')],
    ['Business', profileRows(user, 'business')],
    ['Professional', profileRows(user, 'professional')],
    [
      'Account',
      [
        ['Membership', membershipOf(user)],
        ['Practice', teams.length > 0 && <TeamLinks key="teams" teams={teams} />],
        ['Card', card && cardName(card)],
        ['Two-step verification', user.hasSecondFactor ? 'On' : 'Off'],
        ['Member since', formatDay(user.createdAt)],
        ['Stripe customer', user.stripeCustomerId],
      ],
    ],
  ] as const;
  const missing = (isOptional: boolean) =>
    groups
      .slice(0, 3)
      .flatMap(([, rows]) => rows.filter(([, value, optional]) => !value && optional === isOptional))
      .map(([label]) => label.replace(/ \(.*/, ''))
      .join(', ');
  return (
    <Panel title="Details">
      <div className="gap-x-10 lg:columns-2">
        {groups
          .filter(([, rows]) => rows.some(([, value]) => value))
          .map(([group, rows]) => (
            <section key={group} aria-label={group} className="mb-5 break-inside-avoid">
              <h3 className="mb-2 border-b pb-1 text-sm">{group}</h3>
              <Facts rows={group === 'Account' ? rows : rows.filter(([, value]) => value)} />
            </section>
          ))}
      </div>
      {missing(false) && <p className="text-sm text-muted">{`Missing: ${missing(false)}`}</p>}
      {missing(true) && <p className="text-sm text-muted">{`Optional, and not given: ${missing(true)}`}</p>}
    </Panel>
  );
};

const NextBill = ({ person: { user, teams } }: { person: AdminPerson }) => (
  <PayerBill
    query={useFreshQuery(contract.admin.userForecast, { params: { id: user.id } })}
    name={fullName(user)}
    description={teams.map(({ name, role }) => role === 'owner' && `${name} has its own bill.`).find(Boolean)}
  />
);

const OwnInvoices = ({ id }: { id: string }) => (
  <Invoices query={useFreshQuery(contract.acts.invoices, { params: { id } })} />
);

/** An owner's page has the practice's invoices, too: they call about those. */
const TeamInvoices = ({ team }: { team: AdminPerson['teams'][number] }) => (
  <Invoices
    title={`Invoices of ${team.name}`}
    query={useFreshQuery(contract.acts.teamInvoices, { params: { id: team.id } })}
  />
);

const Person = ({ person }: { person: AdminPerson }) => {
  const [dialog, setDialog] = useState<'free' | IdentityAct | AccountAct>();
  const { user } = person;
  const close = () => setDialog(undefined);
  return (
    <>
      <PageHeader
        title={fullName(user)}
        description={user.email}
        badges={<UserBadges user={user} />}
        action={
          <ActsButton
            trigger={
              <Button variant="secondary">
                Actions
                <ChevronDown aria-hidden />
              </Button>
            }
            acts={[
              [user.freeAccessGranted ? 'Revoke Free Access' : 'Grant Free Access', () => setDialog('free')],
              ...identityActs(user).map((act) => [identity[act].label, () => setDialog(act)] as const),
              ...accountActs(user).map((act) => [accountActLabel(act), () => setDialog(act)] as const),
            ]}
          />
        }
      />
      <Waiting type="user" id={user.id} />
      <SubjectTabs
        overview={
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
            <Subscriptions subscriptions={person.subscriptions} />
            <NextBill person={person} />
            <div className="lg:col-span-2">
              <Details person={person} />
            </div>
          </div>
        }
        billing={
          <div className="space-y-6">
            <OwnInvoices id={user.id} />
            {person.teams
              .filter(({ role }) => role === 'owner')
              .map((team) => (
                <TeamInvoices key={team.id} team={team} />
              ))}
            <BillsTold whose={{ kind: 'user', id: user.id }} />
          </div>
        }
        activity={<Timeline whose={{ kind: 'user', id: user.id }} />}
      />
      {dialog === 'free' && <FreeAccessDialog user={user} onClose={close} />}
      {(dialog === 'email' || dialog === 'administrator') && (
        <IdentityDialog user={user} act={dialog} onClose={close} />
      )}
      {dialog && dialog !== 'free' && dialog !== 'email' && dialog !== 'administrator' && (
        <AccountDialog user={user} act={dialog} onClose={close} />
      )}
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

const schema = z.object({ email: z.string(), reason });

const identity = {
  email: {
    label: 'Change the email address',
    consequences: [
      'The account uses the new address. It is unverified until the user opens the link we email there. Partner pricing that depends on the address waits for that.',
      'Every session ends. Both addresses are told, with your reason.',
      'It can be undone for 24 hours; meanwhile nobody else can take the old address.',
    ],
  },
  administrator: {
    label: 'Make an administrator',
    consequences: [
      'The user can do all that you can. Every session of theirs ends.',
      'All administrators are told, with your reason. Their approval counts after seven days.',
      'It can be undone for 24 hours.',
    ],
  },
} as const;
type IdentityAct = keyof typeof identity;

const identityActs = (user: AdminUser): IdentityAct[] => (user.isAdmin ? ['email'] : ['email', 'administrator']);

/** Changes who somebody is here: a new email address, or administrator's rights. */
const IdentityDialog = ({ user, act, onClose }: { user: AdminUser; act: IdentityAct; onClose: () => void }) => {
  const { label, consequences } = identity[act];
  const { data } = useApiQuery(contract.approvals.list);
  const form = useApiForm({
    schema,
    defaultValues: { email: '', reason: '' },
    send: (values) => {
      const params = { id: user.id };
      return act === 'email'
        ? write(contract.acts.changeEmail, { params, body: values })
        : write(contract.acts.makeAdministrator, { params, body: { reason: values.reason } });
    },
    onDone: closeAndTell(onClose, { about: `${fullName(user)} (${user.email})` }),
  });
  const waits = data?.fourEyes ? ['It waits until a second administrator approves it.'] : [];
  return (
    <Dialog onClose={onClose} title={label} description={`${fullName(user)} · ${user.email}`}>
      <ActForm
        form={form}
        label={label}
        help="The user reads it in our email."
        variant="danger"
        pendingLabel="Sending…"
        button={label}
        onClose={onClose}
      >
        {act === 'email' && <TextField form={form} name="email" label="New email address" type="email" />}
        <Preview sentences={[...waits, ...consequences]} />
      </ActForm>
    </Dialog>
  );
};
