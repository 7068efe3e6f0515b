import { type ReactNode, useId } from 'react';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';

/** The side card of the subscribe screen (B §2). */
export const CheckoutCard = ({ children }: { children: ReactNode }) => {
  const headingId = useId();
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader id={headingId} title="Complete Your Subscription" />
      <CardBody className="flex flex-col gap-4">{children}</CardBody>
    </Card>
  );
};
