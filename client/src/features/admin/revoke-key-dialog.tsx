import type { ApiKey } from '#shared/api/admin.ts';
import { contract } from '#shared/api/index.ts';
import { useAdminWrite } from '#client/features/admin/write.ts';
import { toast } from '#client/lib/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';

/** Says that it is at once and for good, before it is done. */
export const RevokeKeyDialog = ({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) => {
  const { mutate, isPending } = useAdminWrite(contract.admin.revokeApiKey, {
    invalidates: [contract.admin.apiKeys, contract.oversight.audit],
    onSuccess: ({ message }) => {
      onClose();
      toast({ title: message, description: `${apiKey.userName}, ${apiKey.toolName}` });
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      locked={isPending}
      title="Revoke this API key?"
      description={`${apiKey.userName} · ${apiKey.userEmail}`}
    >
      <p className="text-sm">
        The key <span className="font-mono">{apiKey.token}</span> stops opening {apiKey.toolName} at once. This cannot
        be undone; you can generate a new key at any time.
      </p>
      <DialogFooter>
        <Button variant="secondary" onClick={onClose}>
          Keep key
        </Button>
        <Button
          variant="danger"
          pending={isPending}
          pendingLabel="Revoking…"
          onClick={() => mutate({ params: { id: apiKey.id }, body: {} })}
        >
          Revoke key
        </Button>
      </DialogFooter>
    </Dialog>
  );
};
