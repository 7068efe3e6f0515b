import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import type { RequestedTool } from '#shared/api/operators/publications.ts';
import { errors } from '#shared/api/errors.ts';
import { whole } from '#shared/api/fields.ts';
import { contract } from '#shared/api/index.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { typedWhole } from '#shared/rules/text.ts';
import { usualSharePercent } from '#shared/rules/tools/publication.ts';
import { adminRefreshMs } from '#shared/rules/operators/admin.ts';
import { closeAndTell, ReasonForm } from '#client/features/admin/act-form.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button, ButtonLink, Panel, Text } from '#client/ui/elements.tsx';
import { Field, Input } from '#client/ui/field.tsx';
import { Form, FormFooter } from '#client/ui/form.tsx';
import { QueryFailure } from '#client/ui/query-view.tsx';
import { ConfirmButton, DialogButton } from '#client/ui/dialog.tsx';
import { Row } from '#client/ui/list.tsx';

const Approve = ({ tool, onClose }: { tool: RequestedTool; onClose: () => void }) => {
  const form = useApiForm({
    schema: z.object({
      share: z
        .string()
        .transform(typedWhole)
        .pipe(whole(0, 100, 'Please enter a whole percentage from 0 to 100')),
    }),
    defaultValues: { share: String(usualSharePercent) },
    send: ({ share: sharePercent }) =>
      api.publications.approve({
        params: { toolId: tool.id },
        body: { priceCents: tool.proposedCents ?? 0, sharePercent, requestedAt: tool.requestedAt.toISOString() },
      }),
    onDone: closeAndTell(onClose, { title: tool.name }),
  });
  return (
    <Form form={form} label={`Publish ${tool.name}`}>
      <p>
        Its maker proposes {formatCents(tool.proposedCents ?? 0)} a month, GST included. You accept this price and agree
        on the maker’s share of it.
      </p>
      <Field label="The maker’s share, in percent" error={form.errorOf('share')}>
        <Input inputMode="numeric" {...form.register('share')} />
      </Field>
      <FormFooter form={form} onCancel={onClose} pendingLabel="Publishing…">
        Publish
      </FormFooter>
    </Form>
  );
};

const summaryOf = ({ check, domain }: RequestedTool) => {
  if (!check) return 'Its maker has not had it checked.';
  if (check.finishedAt === null || check.state !== 'finished') return 'Its last check did not finish.';
  const of = (result: string) => check.findings.filter((finding) => finding.result === result).length;
  const found = `${of('wrong')} wrong, ${of('unknown')} not judged, ${of('ok')} right`;
  return `Checked ${formatDateTime(check.finishedAt)}: ${found}${check.domain === domain ? '' : ', at another address'}.`;
};

/** Fetches a single-use link to the tool as its maker's test adviser sees it. */
const TryOut = ({ tool }: { tool: RequestedTool }) => {
  const [launch, setLaunch] = useState<{ url: string; name: string } | null>(null);
  const { mutate, isPending } = useApiMutation(contract.publications.tryOut, {
    onSuccess: setLaunch,
  });
  return launch ? (
    <ButtonLink
      ref={(link: HTMLAnchorElement | null) => link?.focus()}
      href={launch.url}
      target="_blank"
      rel="noreferrer"
      variant="secondary"
      size="sm"
      onClick={() => setTimeout(() => setLaunch(null))}
    >
      <ExternalLink aria-hidden />
      Open as {launch.name}
    </ButtonLink>
  ) : (
    <Button
      variant="secondary"
      size="sm"
      aria-label={`Try out ${tool.name}`}
      pending={isPending}
      pendingLabel="Launching…"
      onClick={() => mutate({ params: { toolId: tool.id } })}
    >
      Try it out
    </Button>
  );
};

const Promote = ({ tool }: { tool: RequestedTool }) => {
  const mutation = useApiMutation(contract.publications.promote, {
    onSuccess: ({ message }) => toast({ title: tool.name, description: message }),
  });
  return (
    <ConfirmButton
      button="Promote…"
      look={{ variant: 'primary', 'aria-label': `Promote ${tool.name}` }}
      title={`Promote ${tool.name}?`}
      keepLabel="Not yet"
      confirmLabel="Promote"
      pendingLabel="Promoting…"
      mutation={mutation}
      onConfirm={() =>
        mutation.mutate({ params: { toolId: tool.id }, body: { requestedAt: tool.requestedAt.toISOString() } })
      }
    >
      Advisers open it at {tool.domain} at once.
    </ConfirmButton>
  );
};

const Request = ({ tool }: { tool: RequestedTool }) => {
  const wrong = tool.check?.findings.filter(({ result }) => result === 'wrong') ?? [];
  return (
    <Row
      basis="basis-60"
      title={tool.name}
      action={
        <>
          <TryOut tool={tool} />
          {tool.missing.length === 0 && tool.staging && <Promote tool={tool} />}
          {tool.missing.length === 0 && !tool.staging && (
            <DialogButton
              title={`Publish ${tool.name}?`}
              description="It is in the catalogue at once, and advisers can subscribe to it."
              button="Publish…"
              look={{ variant: 'primary', 'aria-label': `Publish ${tool.name}` }}
            >
              {(close) => <Approve tool={tool} onClose={close} />}
            </DialogButton>
          )}
          <DialogButton
            title={`Refuse ${tool.name}?`}
            description="It stays as it is. Its maker can ask again."
            button="Refuse…"
            look={{ 'aria-label': `Refuse ${tool.name}` }}
          >
            {(close) => (
              <ReasonForm
                schema={contract.publications.refuse.body}
                send={(body) => api.publications.refuse({ params: { toolId: tool.id }, body })}
                done={tool.name}
                label={`Refuse ${tool.name}`}
                help="Its maker reads it."
                rows={4}
                variant="danger"
                pendingLabel="Refusing…"
                button="Refuse"
                onClose={close}
              />
            )}
          </DialogButton>
        </>
      }
    >
      <p>{tool.description}</p>
      <p className="figures text-xs text-muted">
        {tool.ownerName} · {tool.domain} · receives{' '}
        {tool.scopes.join(', ').replaceAll('_', ' ') || 'nothing about people'} · asked{' '}
        {formatDateTime(tool.requestedAt)}
      </p>
      <p className="mt-1">{summaryOf(tool)}</p>
      {tool.staging && (
        <p className="mt-1">
          <Text>
            It is published. This is its staging twin, version {tool.staging.answers?.version ?? 'as before'}.
          </Text>
        </p>
      )}
      <p className="mt-1">
        {tool.staging
          ? null
          : tool.proposedCents === null
            ? 'No price is proposed.'
            : `Proposed: ${formatCents(tool.proposedCents)} a month.`}
      </p>
      {tool.missing.length > 0 && (
        <ul aria-label={`What ${tool.name} lacks`} className="mt-1 list-disc pl-5">
          {tool.missing.map((demand) => (
            <li key={demand}>{errors[demand][1]}</li>
          ))}
        </ul>
      )}
      {wrong.length > 0 && (
        <ul aria-label={`What is wrong with ${tool.name}`} className="mt-1 list-disc pl-5">
          {wrong.map(({ id, check, advice }) => (
            <li key={id}>
              {check}: <span className="text-muted">{advice}</span>
            </li>
          ))}
        </ul>
      )}
    </Row>
  );
};

/** Tools that their makers ask us to publish; nothing if there are none. */
export const ToolRequests = () => {
  const query = useApiQuery(contract.publications.list, undefined, { refetchInterval: adminRefreshMs });
  const { data: tools, error } = query;
  if (tools ? tools.length === 0 : !error) return null;
  return (
    <Panel
      title="Tools to publish"
      description="Their makers have tried them out, and ask us to put them in the catalogue"
    >
      {!tools ? (
        <QueryFailure query={query} title="Tools to publish could not be loaded" />
      ) : (
        <ul aria-label="Tools to publish" className="divide-y">
          {tools.map((tool) => (
            <Request key={tool.id} tool={tool} />
          ))}
        </ul>
      )}
    </Panel>
  );
};
