import { useState } from 'react';
import type * as z from 'zod';
import type { OwnToolDetails, ToolSecret } from '#shared/api/developers.ts';
import { contract } from '#shared/api/index.ts';
import type { ManagedTool } from '#shared/api/operators/catalogue.ts';
import { ShownSecrets } from '#client/features/developers/shown-secrets.tsx';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge, Button, Panel, Text } from '#client/ui/elements.tsx';
import { Field, Select } from '#client/ui/field.tsx';
import { Form, TextField } from '#client/ui/form.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { ConfirmButton } from '#client/ui/dialog.tsx';
import { Row } from '#client/ui/list.tsx';

const kinds = { call: 'Calls', signing: 'Signs events' } as const;

type Make = (secret: z.output<typeof contract.developers.makeSecret.body>) => Promise<{ secret: string }>;

type Revoke = {
  send: (id: string, onSuccess: () => void) => void;
  reset: () => void;
  isPending: boolean;
  fault: string | null;
};
type RowProps = { name: string; secret: ToolSecret; revoke: Revoke };

const SecretRow = ({ name, secret, revoke }: RowProps) => {
  const use = secret.lastUsedAt ? `last used ${formatDateTime(secret.lastUsedAt)}` : 'never used';
  return (
    <Row
      title={
        <>
          {name} <Badge tone="outline">{kinds[secret.kind]}</Badge>
        </>
      }
      action={
        <ConfirmButton
          button="Revoke…"
          look={{ 'aria-label': `Revoke ${name} (${kinds[secret.kind]})` }}
          title="Revoke this secret?"
          keepLabel="Keep it"
          confirmLabel="Revoke secret"
          pendingLabel="Revoking…"
          mutation={revoke}
          onConfirm={() => revoke.send(secret.id, () => toast({ title: 'Secret revoked', description: name }))}
        >
          Whatever still uses “{name}” stops working at once.
        </ConfirmButton>
      }
    >
      <p className="figures text-xs text-muted">
        <Text>
          Made {formatDateTime(secret.createdAt)}
          {secret.kind === 'call' && `, ${use}`}
        </Text>
      </p>
    </Row>
  );
};

const MakeSecret = ({ server, make }: { server: string; make: Make }) => {
  const [made, setMade] = useState<string | null>(null);
  const form = useApiForm({
    schema: contract.developers.makeSecret.body,
    defaultValues: { kind: 'call' as const, name: '' },
    send: make,
    onDone: ({ secret }) => setMade(secret),
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
          <TextField form={form} name="name" label="Name of the secret" placeholder="Server in Sydney" />
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
  revoke: Revoke;
  /** Null for somebody who may only revoke. */
  make: Make | null;
};

/** The secrets of a tool, for its maker or an administrator. */
const Secrets = ({ secrets, description, unnamed, server, revoke, make }: Props) => {
  return (
    <Panel title="Secrets" description={description}>
      {secrets.length > 0 ? (
        <ul aria-label="Secrets" className="divide-y">
          {secrets.map((secret) => (
            <SecretRow key={secret.id} name={secret.name ?? unnamed} secret={secret} revoke={revoke} />
          ))}
        </ul>
      ) : (
        <p className="text-sm text-muted">It has none, so {server} can’t call us yet.</p>
      )}
      {make && <MakeSecret server={server} make={make} />}
    </Panel>
  );
};

/** For the tool's maker. */
export const OwnSecrets = ({ toolId, secrets }: { toolId: string; secrets: OwnToolDetails['secrets'] }) => {
  const { mutate, ...revoking } = useApiMutation(contract.developers.revokeSecret);
  return (
    <Secrets
      secrets={secrets}
      description="Two of a kind may be live: make the second, move your servers to it, then revoke the first."
      unnamed="Made by us"
      server="your server"
      revoke={{ ...revoking, send: (id, onSuccess) => mutate({ params: { toolId, id } }, { onSuccess }) }}
      make={(body) => api.developers.makeSecret({ params: { toolId }, body })}
    />
  );
};

/** For an administrator, who makes the secrets of our own tools and can revoke any. */
export const AdministratorSecrets = ({ tool: { id: toolId, secrets, ownerName } }: { tool: ManagedTool }) => {
  const { mutate, ...revoking } = useApiMutation(contract.catalogue.revokeSecret);
  const ours = ownerName === null;
  return (
    <Secrets
      secrets={secrets}
      description={
        ours
          ? 'Two of a kind may be live: make the second, move its server to it, then revoke the first.'
          : 'Its maker makes them; you can revoke one that got out.'
      }
      unnamed="Made on the server"
      server="its server"
      revoke={{ ...revoking, send: (id, onSuccess) => mutate({ params: { toolId, id } }, { onSuccess }) }}
      make={ours ? (body) => api.catalogue.makeSecret({ params: { toolId }, body }) : null}
    />
  );
};
