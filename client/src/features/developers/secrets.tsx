import { useState } from 'react';
import type { ToolSecret } from '#shared/api/developers.ts';
import { contract } from '#shared/api/index.ts';
import { ShownSecrets } from '#client/features/developers/shown-secrets.tsx';
import { api } from '#client/lib/operator-api.ts';
import { somethingWentWrong } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { formatDateTime } from '#client/lib/format.ts';
import { toast } from '#client/lib/toast.ts';
import { useApiMutation } from '#client/lib/write.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { Input } from '#client/ui/input.tsx';
import { Select } from '#client/ui/select.tsx';

const kinds = { call: 'Calls', signing: 'Signs events' } as const;
const kindOptions = [
  { value: 'call', label: 'For your server’s calls' },
  { value: 'signing', label: 'For the signature of events' },
];

const SecretRow = ({ toolId, secret }: { toolId: string; secret: ToolSecret }) => {
  const [asking, setAsking] = useState(false);
  const name = secret.name ?? 'Made by us';
  const { mutate, isPending, fault } = useApiMutation(contract.developers.revokeSecret, {
    onSuccess: () => toast({ title: 'Secret revoked', description: name }),
    failure: somethingWentWrong,
  });
  const use = secret.lastUsedAt ? `last used ${formatDateTime(secret.lastUsedAt)}` : 'never used';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="[overflow-wrap:anywhere]">{name}</span>
          <Badge tone="outline">{kinds[secret.kind]}</Badge>
        </p>
        <p className="figures text-xs text-muted">
          Made {formatDateTime(secret.createdAt)}
          {secret.kind === 'call' && `, ${use}`}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Revoke ${name} (${kinds[secret.kind]})`}
        onClick={() => setAsking(true)}
      >
        Revoke
      </Button>
      {asking && (
        <ConfirmDialog
          title="Revoke this secret?"
          keepLabel="Keep it"
          confirmLabel="Revoke secret"
          pendingLabel="Revoking…"
          pending={isPending}
          error={fault}
          onClose={() => setAsking(false)}
          onConfirm={() => mutate({ params: { toolId, id: secret.id } })}
        >
          Whatever still uses “{name}” stops working at once.
        </ConfirmDialog>
      )}
    </li>
  );
};

export const Secrets = ({ toolId, secrets }: { toolId: string; secrets: ToolSecret[] }) => {
  const [made, setMade] = useState<string | null>(null);
  const form = useApiForm({
    schema: contract.developers.makeSecret.body,
    defaultValues: { kind: 'call' as const, name: '' },
    send: (body) => api.developers.makeSecret({ params: { toolId }, body }),
    onDone: ({ secret }) => {
      setMade(secret);
      form.reset();
    },
    failure: somethingWentWrong,
  });
  const { register, errorOf, pending } = form;
  return (
    <Panel
      title="Secrets"
      description="Two of a kind may be live: make the second, move your servers to it, then revoke the first."
    >
      <ul aria-label="Secrets" className="divide-y">
        {secrets.map((secret) => (
          <SecretRow key={secret.id} toolId={toolId} secret={secret} />
        ))}
      </ul>
      <Form form={form} label="Make a secret" className="mt-4">
        <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-2">
          <Field label="Name of the secret" error={errorOf('name')}>
            <Input placeholder="Server in Sydney" {...register('name')} />
          </Field>
          <Field label="What it is for" error={errorOf('kind')}>
            <Select options={kindOptions} {...register('kind')} />
          </Field>
        </div>
        <Button type="submit" variant="secondary" className="mt-2" pending={pending} pendingLabel="Making…">
          Make a secret
        </Button>
      </Form>
      <ShownSecrets secrets={made ? [{ label: 'New secret', value: made }] : []} onClose={() => setMade(null)} />
    </Panel>
  );
};
