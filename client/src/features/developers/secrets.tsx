import { useState } from 'react';
import type * as z from 'zod';
import type { ToolSecret } from '#shared/api/developers.ts';
import { contract } from '#shared/api/index.ts';
import { ShownSecrets } from '#client/features/developers/shown-secrets.tsx';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { Input } from '#client/ui/input.tsx';
import { Select } from '#client/ui/select.tsx';

const kinds = { call: 'Calls', signing: 'Signs events' } as const;

type Make = (secret: z.output<typeof contract.developers.makeSecret.body>) => Promise<{ secret: string }>;

const SecretRow = ({ name, secret, onRevoke }: { name: string; secret: ToolSecret; onRevoke: () => void }) => {
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
      <Button variant="secondary" size="sm" aria-label={`Revoke ${name} (${kinds[secret.kind]})`} onClick={onRevoke}>
        Revoke…
      </Button>
    </li>
  );
};

const MakeSecret = ({ server, make }: { server: string; make: Make }) => {
  const [made, setMade] = useState<string | null>(null);
  const form = useApiForm({
    schema: contract.developers.makeSecret.body,
    defaultValues: { kind: 'call' as const, name: '' },
    send: make,
    onDone: ({ secret }) => setMade(secret),
    failure: somethingWentWrong,
  });
  const { register, errorOf, pending, reset } = form;
  // Not before: the dialog takes the focus from the field, which would then be empty and refused.
  const close = () => {
    setMade(null);
    reset();
  };
  const kindOptions = [
    { value: 'call', label: `For ${server}’s calls` },
    { value: 'signing', label: 'For the signature of events' },
  ];
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
      <ShownSecrets secrets={made ? [{ label: 'New secret', value: made }] : []} onClose={close} />
    </>
  );
};

type Props = {
  secrets: readonly ToolSecret[];
  description: string;
  /** What a secret without a name is called. */
  unnamed: string;
  /** "your server": whose calls a secret is for. */
  server: string;
  revoke: {
    send: (id: string, onSuccess: () => void) => void;
    reset: () => void;
    isPending: boolean;
    fault: string | null;
  };
  /** Null for somebody who may only revoke. */
  make: Make | null;
};

/** The secrets of a tool, for its maker or an administrator. */
export const Secrets = ({ secrets, description, unnamed, server, revoke, make }: Props) => {
  const [asking, setAsking] = useState<ToolSecret | null>(null);
  const nameOf = ({ name }: ToolSecret) => name ?? unnamed;
  return (
    <Panel title="Secrets" description={description}>
      {secrets.length > 0 ? (
        <ul aria-label="Secrets" className="divide-y">
          {secrets.map((secret) => (
            <SecretRow
              key={secret.id}
              name={nameOf(secret)}
              secret={secret}
              onRevoke={() => {
                revoke.reset();
                setAsking(secret);
              }}
            />
          ))}
        </ul>
      ) : (
        <p className="text-sm text-muted">It has none, so {server} can’t call us yet.</p>
      )}
      {make && <MakeSecret server={server} make={make} />}
      {asking && (
        <ConfirmDialog
          title="Revoke this secret?"
          keepLabel="Keep it"
          confirmLabel="Revoke secret"
          pendingLabel="Revoking…"
          pending={revoke.isPending}
          error={revoke.fault}
          onClose={() => setAsking(null)}
          onConfirm={() =>
            revoke.send(asking.id, () => {
              setAsking(null);
              toast({ title: 'Secret revoked', description: nameOf(asking) });
            })
          }
        >
          Whatever still uses “{nameOf(asking)}” stops working at once.
        </ConfirmDialog>
      )}
    </Panel>
  );
};
