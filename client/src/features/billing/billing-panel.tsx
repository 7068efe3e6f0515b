import { ReceiptText } from 'lucide-react';
import { Card, CardHeader } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';

/** The place of payment method, billing address and invoices. */
export const BillingPanel = () => (
  <Card>
    <CardHeader title="Billing" description="Payment method, billing address and invoices" />
    <EmptyState
      icon={<ReceiptText />}
      title="Nothing to show yet"
      description="Your payment details and invoices will appear here."
    />
  </Card>
);
