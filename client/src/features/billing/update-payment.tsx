import { type ComponentProps, lazy, Suspense, useState } from 'react';
import type { PayerProps } from '#client/features/billing/payer.ts';
import { Button } from '#client/ui/button.tsx';

// A failed early load is told when the button is pressed. Stripe.js comes later still, with the open form.
const load = () => import('#client/features/billing/card-dialog.tsx');
const CardDialog = lazy(load);

type Props = PayerProps & Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'children' | 'className'>;

/** Opens the card form. */
export const UpdatePayment = ({ teamId, variant = 'secondary', size = 'sm', ...rest }: Props) => {
  const [open, setOpen] = useState<boolean>();
  return (
    <>
      <Button
        {...rest}
        variant={variant}
        size={size}
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={() => setOpen(true)}
      />
      {open !== undefined && (
        <Suspense>
          <CardDialog open={open} onClose={() => setOpen(false)} teamId={teamId} />
        </Suspense>
      )}
    </>
  );
};
