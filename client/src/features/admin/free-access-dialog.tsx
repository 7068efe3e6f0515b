import type { AdminUser } from '#shared/api/admin.ts';
import { contract } from '#shared/api/index.ts';
import { fullName } from '#client/lib/people.ts';
import { somethingWentWrong } from '#client/lib/api-error.ts';
import { toast } from '#client/lib/toast.ts';
import { useApiMutation } from '#client/lib/write.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';

const granting = [
  'Every tool costs this user nothing. Paid subscriptions drop to $0.00 from their next invoice, and new ones need no payment.',
  'Team purchases are not covered. The user is told by email, and you can revoke it at any time.',
];
const revoking = [
  'Subscriptions that would cost something go into a grace period of 7 days. Those with a card on file cost the full price from their next renewal.',
  'The user is told by email. You can grant free access again at any time.',
];

export const FreeAccessDialog = ({ user, onClose }: { user: AdminUser; onClose: () => void }) => {
  const revoke = user.freeAccessGranted;
  const name = fullName(user);
  const { mutate, isPending } = useApiMutation(
    revoke ? contract.admin.revokeFreeAccess : contract.admin.grantFreeAccess,
    {
      failure: somethingWentWrong,
      onSuccess: ({ message }) => {
        onClose();
        toast({ title: message, description: `${name} (${user.email})` });
      },
    },
  );
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`${revoke ? 'Revoke' : 'Grant'} free access?`}
      description={`${name} · ${user.email}`}
      keepLabel="Keep as it is"
      confirmLabel={revoke ? 'Revoke Free Access' : 'Grant Free Access'}
      pendingLabel={revoke ? 'Revoking…' : 'Granting…'}
      variant={revoke ? 'danger' : 'primary'}
      pending={isPending}
      onConfirm={() => mutate({ body: { userId: user.id } })}
    >
      <div className="space-y-2">
        {(revoke ? revoking : granting).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </ConfirmDialog>
  );
};
