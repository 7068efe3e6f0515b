import { useState } from 'react';
import type { ManagedTool } from '#shared/api/catalogue.ts';
import type { ToolSecret } from '#shared/api/developers.ts';
import { contract } from '#shared/api/index.ts';
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
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { Input } from '#client/ui/input.tsx';
import { Select } from '#client/ui/select.tsx';

const kinds = { call: 'Calls', signing: 'Signs events' } as const;
const kindOptions = [
  { value: 'call', label: 'For its server’s calls' },
  { value: 'signing', label: 'For the signature of events' },
];

const Secret = ({ toolId, secret }: { toolId: string; secret: ToolSecret }) => {
  const [asking, setAsking] = useState(false);
  const name = secret.name ?? 'Made by a command';
  const { mutate, isPending, fault } = useApiMutation(contract.catalogue.revokeSecret, {
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
        Revoke…
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
          onConfirm={() => mutate({ params: { toolId, id: secret.id }, body: {} })}
        >
          Whatever still uses “{name}” stops working at once.
        </ConfirmDialog>
      )}
    </li>
  );
};

const MakeSecret = ({ toolId }: { toolId: string }) => {
  const [made, setMade] = useState<string | null>(null);
  const form = useApiForm({
    schema: contract.catalogue.makeSecret.body.omit({ _csrf: true }),
    defaultValues: { kind: 'call' as const, name: '' },
    send: (body) => api.catalogue.makeSecret({ params: { toolId }, body }),
    onDone: ({ secret }) => {
      setMade(secret);
      form.reset();
    },
    failure: somethingWentWrong,
  });
  const { register, errorOf, pending } = form;
  return (
    <>
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
      <Dialog
        open={made !== null}
        onOpenChange={(open) => open || setMade(null)}
        title="Save this secret"
        description="It is for the tool’s server, and never for a browser. This is the only time it is shown."
      >
        <Field label="New secret">
          <Input readOnly value={made ?? ''} className="font-mono" onFocus={(event) => event.target.select()} />
        </Field>
        <DialogFooter>
          <Button onClick={() => setMade(null)}>I have saved it</Button>
        </DialogFooter>
      </Dialog>
    </>
  );
};

export const ToolSecrets = ({ tool: { id, secrets, ownerName } }: { tool: ManagedTool }) => (
  <Panel
    title="Secrets"
    description={
      ownerName === null
        ? 'Two of a kind may be live: make the second, move its server to it, then revoke the first'
        : 'Its maker makes them; you can revoke one that got out'
    }
  >
    {secrets.length > 0 ? (
      <ul aria-label="Secrets" className="divide-y">
        {secrets.map((secret) => (
          <Secret key={secret.id} toolId={id} secret={secret} />
        ))}
      </ul>
    ) : (
      <p className="text-sm text-muted">It has none, so its server can’t call us yet.</p>
    )}
    {ownerName === null && <MakeSecret toolId={id} />}
  </Panel>
);
