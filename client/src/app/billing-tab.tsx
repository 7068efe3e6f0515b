import BillingCards from '#client/features/billing/billing-cards.tsx';
import { NextBill } from '#client/features/billing/next-bill.tsx';
import { useTeamInAddress, WhoPays } from '#client/features/billing/who-pays.tsx';
import { SubscriptionsPanel } from '#client/features/subscriptions/subscriptions-panel.tsx';
import type { Part } from '#client/ui/elements.tsx';

/** What is paid next, by the adviser or a team they pay for; their subscriptions; and that payer's card, address and invoices. */
export default function BillingTab({ toolsAction }: { toolsAction: Part }) {
  const teamId = useTeamInAddress();
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="grid min-w-0 grid-cols-1 gap-4">
        <WhoPays />
        <NextBill teamId={teamId} />
      </div>
      <SubscriptionsPanel toolsAction={toolsAction} />
      <BillingCards teamId={teamId} />
    </div>
  );
}
