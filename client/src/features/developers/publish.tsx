import type { OwnTool, OwnToolDetails } from '#shared/api/developers.ts';
import { errors } from '#shared/api/errors.ts';
import { contract } from '#shared/api/index.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Alert, Button, Panel } from '#client/ui/elements.tsx';
import { Field, Input } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';

/** Why we refused, and what is missing. */
const Lacks = ({ before, tool, missing }: Pick<OwnToolDetails, 'tool' | 'missing'> & { before?: string }) => (
  <>
    {tool.refusedFor && (
      <Alert tone="warning" title="Not accepted yet" className="mb-4">
        {tool.refusedFor}
      </Alert>
    )}
    {missing.length > 0 && (
      <>
        {before && <p>{before}</p>}
        <ul aria-label="Missing for publication" className="mt-1 mb-4 list-disc pl-5">
          {missing.map((demand) => (
            <li key={demand}>{errors[demand][1]}</li>
          ))}
        </ul>
      </>
    )}
  </>
);

/** Where the tool is on its way into the catalogue. */
export const Publish = ({ tool, missing }: Pick<OwnToolDetails, 'tool' | 'missing'>) => {
  const { mutate, isPending } = useApiMutation(contract.developers.requestPublication, {
    onSuccess: () => toast({ title: 'Thank you', description: 'We’ll look at your tool and write to you.' }),
  });
  if (tool.state === 'published' && tool.closedAt)
    return (
      <Alert tone="warning" title={`Closed to new subscribers since ${formatSydneyDate(tool.closedAt)}`}>
        {tool.closedFor} Those who have it go on using it.
      </Alert>
    );
  if (tool.state === 'published')
    return (
      <Alert title="Your tool is in the catalogue">
        To change its name or what it receives about people, please write to us. To try out another version or address,
        use its staging twin.
      </Alert>
    );
  if (tool.state === 'requested')
    return (
      <>
        <Alert title="We are looking at your tool">
          We’ll email you once it is published, or to say what is missing. If you change its name, address or what it
          receives about people, please ask again.
        </Alert>
        {missing.length > 0 && (
          <Panel title="Before we can publish it">
            <Lacks tool={tool} missing={missing} />
          </Panel>
        )}
      </>
    );
  return (
    <Panel title="Publish" description="We open your tool as an adviser, accept your price, and publish it.">
      <Lacks before="Before it can be published:" tool={tool} missing={missing} />
      <Button pending={isPending} pendingLabel="Asking…" onClick={() => mutate({ params: { toolId: tool.id } })}>
        Ask us to publish it
      </Button>
    </Panel>
  );
};

const StagingForm = ({ tool }: { tool: OwnTool }) => {
  const { staging } = tool;
  const form = useKeptForm({
    schema: contract.developers.stage.body,
    defaultValues: { domain: staging?.domain ?? '', eventsUrl: staging?.eventsUrl ?? '' },
    draft: `staging-${tool.id}`,
    send: (body) => api.developers.stage({ params: { toolId: tool.id }, body }),
    onDone: () => toast({ title: 'Staging twin saved', description: 'Test advisers open it from now on.' }),
  });
  return (
    <Form form={form} label="Staging twin" className="space-y-1">
      <Field label="Address in staging" error={form.errorOf('domain')}>
        <Input type="url" placeholder="https://next.fees.example/start" {...form.register('domain')} />
      </Field>
      <Field label="Events endpoint in staging" optional error={form.errorOf('eventsUrl')}>
        <Input type="url" placeholder="https://next.fees.example/events" {...form.register('eventsUrl')} />
      </Field>
      <Button type="submit" variant="secondary" pending={form.pending} pendingLabel="Saving…">
        {staging ? 'Save addresses' : 'Make a staging twin'}
      </Button>
    </Form>
  );
};

/** Where the next version of a published tool is tried out, and promoted from. */
export const StagingTwin = ({ tool, missing }: Pick<OwnToolDetails, 'tool' | 'missing'>) => {
  const { mutate, isPending } = useApiMutation(contract.developers.requestPublication, {
    onSuccess: () => toast({ title: 'Thank you', description: 'We’ll look at this version and write to you.' }),
  });
  return (
    <Panel
      title="Staging twin"
      description="Your next version, which only test advisers open. It has the tool’s ID and secrets, so you set nothing again when it goes live."
    >
      <StagingForm key={`${tool.staging?.domain} ${tool.staging?.eventsUrl}`} tool={tool} />
      {tool.staging?.requested && (
        <Alert className="mt-4" title="We are looking at this version">
          We’ll email you once it is live, or to say what is missing. If you change it, please ask again.
        </Alert>
      )}
      {tool.staging && !tool.staging.requested && (
        <div className="mt-4 border-t pt-4">
          <Lacks before="Before it can be promoted:" tool={tool} missing={missing} />
          <p className="mb-2 text-sm text-muted">
            Advisers then open the tool at this address, and the answers that wait with it appear on its page.
          </p>
          <Button pending={isPending} pendingLabel="Asking…" onClick={() => mutate({ params: { toolId: tool.id } })}>
            Ask us to promote it
          </Button>
        </div>
      )}
    </Panel>
  );
};
