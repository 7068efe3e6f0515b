import type { AdminUser } from '#shared/api/admin.ts';
import { contract } from '#shared/api/index.ts';
import { fullName } from '#client/features/admin/labels.ts';
import { useAdminWrite } from '#client/features/admin/write.ts';
import { toast } from '#client/lib/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';

const changed = [contract.admin.users, contract.admin.subscriberStats, contract.oversight.audit];

const granting = [
  'Every tool costs this user nothing. Paid subscriptions drop to $0.00 from their next invoice, and new ones need no payment.',
  'Team purchases are not covered. The user is told by email, and you can revoke it at any time.',
];
const revoking = [
  'Subscriptions that would cost something go into a grace period of 7 days. Those with a card on file cost the full price from their next renewal.',
  'The user is told by email. You can grant free access again at any time.',
];

/** Says what granting or revoking does (decisions §5) before it is done. */
export const FreeAccessDialog = ({ user, onClose }: { user: AdminUser; onClose: () => void }) => {
  const revoke = user.freeAccessGranted;
  const name = fullName(user);
  const { mutate, isPending } = useAdminWrite(
    revoke ? contract.admin.revokeFreeAccess : contract.admin.grantFreeAccess,
    {
      invalidates: changed,
      onSuccess: ({ message }) => {
        onClose();
        toast({ title: message, description: `${name} (${user.email})` });
      },
    },
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      locked={isPending}
      title={`${revoke ? 'Revoke' : 'Grant'} free access?`}
      description={`${name} · ${user.email}`}
    >
      <div className="space-y-2 text-sm">
        {(revoke ? revoking : granting).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <DialogFooter>
        <Button variant="secondary" onClick={onClose}>
          Keep as it is
        </Button>
        <Button
          variant={revoke ? 'danger' : 'primary'}
          pending={isPending}
          pendingLabel={revoke ? 'Revoking…' : 'Granting…'}
          onClick={() => mutate({ body: { userId: user.id } })}
        >
          {revoke ? 'Revoke Free Access' : 'Grant Free Access'}
        </Button>
      </DialogFooter>
    </Dialog>
  );
};
