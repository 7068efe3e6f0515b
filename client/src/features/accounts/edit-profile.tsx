import { lazy, Suspense, useState } from 'react';
import type { User } from '#shared/api/accounts.ts';
import { Button } from '#client/ui/button.tsx';

// A failed early load is told when the button is pressed. The form's code comes when the button is near being pressed, not with the dashboard.
const load = () => import('#client/features/accounts/edit-profile-dialog.tsx');
const EditProfileDialog = lazy(async () => ({ default: (await load()).EditProfileDialog }));

/** The Edit button of the dashboard's profile card, and its dialog (B §2, §5). */
export const EditProfile = ({ user }: { user: User }) => {
  const [open, setOpen] = useState<boolean>();
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label="Edit profile"
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={() => setOpen(true)}
      >
        Edit
      </Button>
      {open !== undefined && (
        <Suspense>
          <EditProfileDialog user={user} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
};
