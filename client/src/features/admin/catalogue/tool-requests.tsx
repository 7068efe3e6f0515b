import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import type { RequestedTool } from '#shared/api/publications.ts';
import { contract } from '#shared/api/index.ts';
import { adminRefreshMs } from '#shared/rules/operators/admin.ts';
import { typedPrice } from '#client/features/admin/catalogue/typed-price.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Button } from '#client/ui/button.tsx';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { Input, Textarea } from '#client/ui/input.tsx';
import { QueryFailure } from '#client/ui/query-view.tsx';

type Props = { tool: RequestedTool; onDone: () => void };

const Approve = ({ tool, onDone }: Props) => {
  const form = useApiForm({
    schema: z.object({ price: typedPrice }),
    defaultValues: { price: '' },
    send: ({ price: priceCents }) =>
      api.publications.approve({
        params: { toolId: tool.id },
        body: { priceCents, requestedAt: tool.requestedAt.toISOString() },
      }),
    onDone: ({ message }) => {
      onDone();
      toast({ title: tool.name, description: message });
    },
    failure: somethingWentWrong,
  });
  return (
    <Form form={form} label={`Publish ${tool.name}`}>
      <Field label="Price a month, in dollars with GST" error={form.errorOf('price')}>
        <Input inputMode="decimal" placeholder="25.00" {...form.register('price')} />
      </Field>
      <FormFooter form={form} onCancel={onDone} pendingLabel="Publishing…">
        Publish
      </FormFooter>
    </Form>
  );
};

const Refuse = ({ tool, onDone }: Props) => {
  const form = useApiForm({
    schema: contract.publications.refuse.body,
    defaultValues: { reason: '' },
    send: (body) => api.publications.refuse({ params: { toolId: tool.id }, body }),
    onDone: ({ message }) => {
      onDone();
      toast({ title: tool.name, description: message });
    },
    failure: somethingWentWrong,
  });
  return (
    <Form form={form} label={`Refuse ${tool.name}`}>
      <Field label="Reason" help="Its maker reads it." error={form.errorOf('reason')}>
        <Textarea rows={4} {...form.register('reason')} />
      </Field>
      <FormFooter form={form} onCancel={onDone} variant="danger" pendingLabel="Refusing…">
        Refuse
      </FormFooter>
    </Form>
  );
};

const summaryOf = ({ check, domain }: RequestedTool) => {
  if (!check) return 'Its maker has not had it checked.';
  if (check.finishedAt === null || check.state !== 'finished') return 'Its last check did not come to its end.';
  const of = (result: string) => check.findings.filter((finding) => finding.result === result).length;
  const found = `${of('wrong')} wrong, ${of('unknown')} not judged, ${of('ok')} right`;
  return `Checked ${formatDateTime(check.finishedAt)}: ${found}${check.domain === domain ? '' : ', at another address'}.`;
};

/** Fetches a single-use link to the tool as its maker's test adviser sees it. */
const TryOut = ({ tool }: { tool: RequestedTool }) => {
  const [launch, setLaunch] = useState<{ url: string; name: string } | null>(null);
  const { mutate, isPending } = useApiMutation(contract.publications.tryOut, {
    failure: somethingWentWrong,
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
      onClick={() => mutate({ params: { toolId: tool.id }, body: {} })}
    >
      Try it out
    </Button>
  );
};

const Request = ({ tool }: { tool: RequestedTool }) => {
  const [deciding, setDeciding] = useState<'approve' | 'refuse' | null>(null);
  const close = () => setDeciding(null);
  const wrong = tool.check?.findings.filter(({ result }) => result === 'wrong') ?? [];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">{tool.name}</p>
        <p className="text-sm">{tool.description}</p>
        <p className="figures text-xs [overflow-wrap:anywhere] text-muted">
          {tool.ownerName} · {tool.domain} · is told{' '}
          {tool.scopes.join(', ').replaceAll('_', ' ') || 'nothing of people'} · asked{' '}
          {formatDateTime(tool.requestedAt)}
        </p>
        <p className="mt-1 text-sm">{summaryOf(tool)}</p>
        {wrong.length > 0 && (
          <ul aria-label={`What is wrong with ${tool.name}`} className="mt-1 list-disc pl-5 text-sm">
            {wrong.map(({ id, check, advice }) => (
              <li key={id} className="[overflow-wrap:anywhere]">
                {check}: <span className="text-muted">{advice}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <TryOut tool={tool} />
      <Button size="sm" aria-label={`Publish ${tool.name}`} onClick={() => setDeciding('approve')}>
        Publish…
      </Button>
      <Button variant="secondary" size="sm" aria-label={`Refuse ${tool.name}`} onClick={() => setDeciding('refuse')}>
        Refuse…
      </Button>
      <Dialog
        open={deciding !== null}
        onOpenChange={(open) => open || close()}
        title={deciding === 'refuse' ? `Refuse ${tool.name}?` : `Publish ${tool.name}?`}
        description={
          deciding === 'refuse'
            ? 'It stays out of the catalogue. Its maker can ask again.'
            : 'It is in the catalogue at once, and advisers can subscribe to it.'
        }
      >
        {deciding === 'refuse' ? <Refuse tool={tool} onDone={close} /> : <Approve tool={tool} onDone={close} />}
      </Dialog>
    </li>
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
      description="Their makers have tried them out, and ask for them to be in the catalogue"
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
