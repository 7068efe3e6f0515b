import type { AdminTeam, HappeningKind } from '#shared/api/operators/admin-person.ts';
import { contract } from '#shared/api/index.ts';
import { cardName } from '#shared/rules/billing/money.ts';
import { ClosedRecord } from '#client/features/admin/people/closed-record.tsx';
import { Administrators } from '#client/features/admin/people/administrators.tsx';
import { Facts, SubjectTabs, SubjectView } from '#client/features/admin/people/subject-view.tsx';
import { Invoices } from '#client/features/admin/billing/invoices.tsx';
import { PayerBill } from '#client/features/admin/billing/payer-bill.tsx';
import { Subscriptions } from '#client/features/admin/billing/subscriptions.tsx';
import { BillsTold } from '#client/features/admin/people/bills-told.tsx';
import { Timeline } from '#client/features/admin/people/timeline.tsx';
import { Waiting } from '#client/features/admin/people/waiting.tsx';
import { formatDay, sentenceCase } from '#client/lib/words/format.ts';
import { fullName, membershipLabels } from '#client/lib/session/people.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Badge, PageHeader, Panel, TextLink } from '#client/ui/elements.tsx';

/** Mails and tool sessions belong to people, not to the practice. */
const kinds: readonly HappeningKind[] = ['act', 'invoice', 'adjustment_note', 'stripe'];

const PersonLink = ({ id, name }: { id: string; name: string }) => (
  <TextLink href={paths.adminUser(id)}>{name}</TextLink>
);

const Members = ({ members }: Pick<AdminTeam, 'members'>) => (
  <Panel title="Members" description={members.length === 1 ? '1 person' : `${members.length} people`}>
    <ul className="divide-y text-sm">
      {members.map((member) => (
        <li key={member.id} className="py-2 [overflow-wrap:anywhere] first:pt-0 last:pb-0">
          <PersonLink id={member.id} name={fullName(member)} />
          <span className="block text-muted">{member.email}</span>
          <span className="block text-muted">
            {sentenceCase(member.role)} since {formatDay(member.joinedAt)}
          </span>
        </li>
      ))}
    </ul>
  </Panel>
);

const NextBill = ({ team: { id, name } }: Pick<AdminTeam, 'team'>) => (
  <PayerBill query={useFreshQuery(contract.admin.teamForecast, { params: { id } })} name={name} />
);

const TeamInvoices = ({ id }: { id: string }) => (
  <Invoices query={useFreshQuery(contract.acts.teamInvoices, { params: { id } })} />
);

const Team = ({ of: { team, owner, members, card, subscriptions } }: { of: AdminTeam }) => {
  return (
    <>
      <PageHeader
        title={team.name}
        description={`Owned by ${owner.name}`}
        badges={team.isActive ? undefined : <Badge tone="danger">Closed</Badge>}
      />
      <Waiting type="team" id={team.id} />
      <SubjectTabs
        overview={
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
            <div className="min-w-0 space-y-6">
              <Subscriptions subscriptions={subscriptions} ofTeam />
              {/* Last, since its height is known late: nothing to press moves away. */}
              <NextBill team={team} />
            </div>
            <div className="min-w-0 space-y-6">
              <Panel title="Details">
                <Facts
                  rows={[
                    ['Owner', <PersonLink key="owner" id={owner.id} name={owner.name} />],
                    ['Members', `${members.length} of ${team.maxMembers}`],
                    ['Membership', membershipLabels[team.membershipType]],
                    ['Card', card && cardName(card)],
                    ['Two-step verification', team.requiresFactor ? 'Required' : 'Not required'],
                    ['Practice since', formatDay(team.createdAt)],
                    ['Stripe customer', team.stripeCustomerId],
                  ]}
                />
              </Panel>
              <Members members={members} />
              {!team.isActive && <ClosedRecord teamId={team.id} />}
            </div>
          </div>
        }
        billing={
          <div className="space-y-6">
            <TeamInvoices id={team.id} />
            <BillsTold whose={{ kind: 'team', id: team.id }} />
          </div>
        }
        activity={<Timeline whose={{ kind: 'team', id: team.id }} kinds={kinds} />}
      />
    </>
  );
};

const TeamView = ({ id }: { id: string }) => {
  const query = useApiQuery(contract.admin.team, { params: { id } });
  useTitle(query.data?.team.name ?? 'Practice');
  return (
    <SubjectView kind="practice" query={query}>
      {(team) => <Team of={team} />}
    </SubjectView>
  );
};

/** /admin/teams/:id: what whoever answers the phone needs to know about a practice. */
export default function TeamPage({ params }: { params: Record<string, string> }) {
  return (
    <Administrators>
      <TeamView key={params['teamId']} id={params['teamId'] ?? ''} />
    </Administrators>
  );
}
