import { AddressCard } from '#client/features/billing/address-card.tsx';
import { InvoiceHistory } from '#client/features/billing/invoice-history.tsx';
import { PaymentMethodCard } from '#client/features/billing/payment-method-card.tsx';
import { ToldBills } from '#client/features/billing/told-bills.tsx';
import type { Payer } from '#client/lib/money/payer.ts';

export default function BillingCards({ teamId }: Payer) {
  return (
    <div key={teamId} className="grid min-w-0 grid-cols-1 gap-6">
      <PaymentMethodCard teamId={teamId} />
      <AddressCard teamId={teamId} />
      <InvoiceHistory teamId={teamId} />
      <ToldBills teamId={teamId} />
    </div>
  );
}
