import { AddressCard } from '#client/features/billing/address-card.tsx';
import { InvoiceHistory } from '#client/features/billing/invoice-history.tsx';
import type { PayerProps } from '#client/features/billing/payer.ts';
import { PaymentMethodCard } from '#client/features/billing/payment-method-card.tsx';

export default function BillingCards({ teamId }: PayerProps) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-6">
      <PaymentMethodCard teamId={teamId} />
      <AddressCard teamId={teamId} />
      <InvoiceHistory teamId={teamId} />
    </div>
  );
}
