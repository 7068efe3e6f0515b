import type { ReactNode } from 'react';
import { Panel } from '#client/ui/card.tsx';

export const CheckoutCard = ({ children }: { children: ReactNode }) => (
  <Panel title="Complete Your Subscription" bodyClassName="flex flex-col gap-4">
    {children}
  </Panel>
);
