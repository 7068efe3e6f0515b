import { lazy, Suspense, useState } from 'react';
import { Button } from '#client/ui/button.tsx';

// A failed early load is told when the link is pressed. The dialog's code comes when the link is near being pressed, not with the sign-in form.
const load = () => import('#client/features/accounts/forgot-password-dialog.tsx');
const ForgotPasswordDialog = lazy(async () => ({ default: (await load()).ForgotPasswordDialog }));

/** The link below the sign-in form, and its dialog, which begins anew each time (A §2). */
export const ForgotPassword = ({ email }: { email: string }) => {
  const [open, setOpen] = useState(false);
  const [opened, setOpened] = useState(0);
  const show = () => {
    setOpened(opened + 1);
    setOpen(true);
  };
  return (
    <>
      <p className="pt-4 text-center">
        <Button variant="link" onPointerEnter={() => void load().catch(() => undefined)} onClick={show}>
          Forgot Password?
        </Button>
      </p>
      {opened > 0 && (
        <Suspense>
          <ForgotPasswordDialog key={opened} email={email} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
};
