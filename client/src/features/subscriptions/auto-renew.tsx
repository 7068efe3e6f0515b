import { useQueryClient } from '@tanstack/react-query';
import { contract } from '#shared/api/index.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { changedBySubscription, payerOf } from '#client/features/subscriptions/change.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { queryFor, useApiMutation } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Switch } from '#client/ui/switch.tsx';

const listKey = queryFor(contract.subscriptions.list).queryKey;

/** Stops or resumes the renewal of an active subscription (B §4): what is shown changes at once. */
export const AutoRenew = ({ subscription }: { subscription: Subscription }) => {
  const { id, toolId, tool, autoRenew } = subscription;
  const queryClient = useQueryClient();
  const show = (on: boolean) =>
    queryClient.setQueryData(listKey, (rows) => rows?.map((row) => (row.id === id ? { ...row, autoRenew: on } : row)));
  const change = useApiMutation(contract.subscriptions.autoRenew, {
    invalidates: changedBySubscription,
    onMutate: ({ body }) => void show(body.autoRenew),
    onSuccess: (_reply, { body }) =>
      toast({
        title: body.autoRenew ? 'Auto-renewal enabled' : 'Auto-renewal disabled',
        description: body.autoRenew
          ? `${tool.name} renews each month again.`
          : `${tool.name} ends with the period you have paid for.`,
      }),
    onError: (error, { body }) => {
      show(!body.autoRenew);
      toast({
        title: 'Error',
        description: sentenceOf(error, 'Failed to update auto-renewal settings.'),
        variant: 'destructive',
      });
    },
  });
  return (
    <Switch
      label="Auto-renew"
      aria-label={`Auto-renew ${tool.name}`}
      checked={autoRenew}
      onChange={(event) =>
        !change.isPending &&
        change.mutate({ params: { toolId }, body: { autoRenew: event.target.checked, ...payerOf(subscription) } })
      }
    />
  );
};
