import { BillingPanel } from '#client/features/billing/billing-panel.tsx';
import { PaymentBanner } from '#client/features/billing/payment-banner.tsx';
import { DoubleSubscriptions } from '#client/features/subscriptions/double-subscriptions.tsx';
import { TeamCardNotice } from '#client/features/subscriptions/team-card-notice.tsx';
import { TeamTools } from '#client/features/subscriptions/team-tools.tsx';
import { TeamsPage } from '#client/features/teams/teams-page.tsx';

const teamTools = (teamId: string) => <TeamTools teamId={teamId} />;
const teamBilling = (teamId: string) => <BillingPanel teamId={teamId} />;

/** Team management, with the team's subscriptions and billing. */
export default function Teams() {
  return (
    <TeamsPage
      notice={
        <>
          <PaymentBanner teamsOnly className="mb-6" />
          <TeamCardNotice className="mb-6" />
          <DoubleSubscriptions className="mb-6" />
        </>
      }
      tools={teamTools}
      billing={teamBilling}
    />
  );
}
