import { type ComponentProps, useState } from 'react';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import type { Payer } from '#client/lib/money/payer.tsx';
import { Button } from '#client/ui/elements.tsx';

const [UpdatePaymentDialog, prepareDialog] = lazyDialog(
  () => import('#client/features/billing/update-payment-dialog.tsx'),
);

type Props = Payer & Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'children' | 'className'>;

export const UpdatePaymentButton = ({ teamId, variant = 'secondary', size = 'sm', ...rest }: Props) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...rest} variant={variant} size={size} onPointerEnter={prepareDialog} onClick={() => setOpen(true)} />
      <UpdatePaymentDialog open={open} onClose={() => setOpen(false)} teamId={teamId} />
    </>
  );
};
