import type { TeamRole } from '#shared/rules/people/teams.ts';
import { laterPart } from '#client/lib/pages/load-later.ts';
import { Loading } from '#client/ui/query-view.tsx';
import { BillingPanel } from '#client/features/billing/billing-panel.tsx';
import { NextBill } from '#client/features/billing/next-bill.tsx';
import { PaymentBanner } from '#client/features/billing/payment-banner.tsx';
import { DuplicateSubscriptions } from '#client/features/subscriptions/duplicate-subscriptions.tsx';
import { TeamCardNotice } from '#client/features/subscriptions/team-card-notice.tsx';
import { TeamTools } from '#client/features/subscriptions/team-tools.tsx';
import { useCardReturn } from '#client/lib/money/store-card.ts';
import { BillByPerson } from '#client/features/teams/bill-by-person.tsx';
import { ToolUsers } from '#client/features/teams/tool-users.tsx';
import { TeamManagement } from '#client/features/teams/team-management.tsx';

const teamTools = (teamId: string) => (
  <TeamTools teamId={teamId} users={(toolId) => <ToolUsers teamId={teamId} toolId={toolId} />} />
);
const TeamRecord = laterPart(
  () => import('#client/features/record/team-record.tsx'),
  <Loading label="Loading the record" skeletons={['h-80']} />,
);
const teamRecord = (teamId: string, role: TeamRole) => <TeamRecord teamId={teamId} role={role} />;
const teamBilling = (teamId: string) => (
  <div className="grid grid-cols-1 gap-6">
    <NextBill teamId={teamId} byPerson={<BillByPerson teamId={teamId} />} />
    <BillingPanel teamId={teamId} />
  </div>
);

export default function TeamsPage() {
  useCardReturn();
  return (
    <TeamManagement
      notice={
        <>
          <PaymentBanner teamsOnly className="mb-6" />
          <TeamCardNotice className="mb-6" />
          <DuplicateSubscriptions className="mb-6" />
        </>
      }
      tools={teamTools}
      billing={teamBilling}
      record={teamRecord}
    />
  );
}
