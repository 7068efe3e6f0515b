import type { OwnTool, OwnToolDetails } from '#shared/api/developers.ts';
import { contract } from '#shared/api/index.ts';
import { OwnSecrets } from '#client/features/developers/secrets.tsx';
import { Check, Outcome } from '#client/features/developers/check.tsx';
import { Disclose } from '#client/features/developers/disclosure-form.tsx';
import { Logs } from '#client/features/developers/logs.tsx';
import { Sandbox } from '#client/features/developers/sandbox.tsx';
import { ToolForm } from '#client/features/developers/tool-form.tsx';
import { states } from '#client/features/developers/words.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { TextLink } from '#client/ui/link.tsx';

const refreshMs = 4000;

const Publish = ({ tool }: { tool: OwnTool }) => {
  const { mutate, isPending } = useApiMutation(contract.developers.requestPublication, {
    onSuccess: () => toast({ title: 'Thank you', description: 'We look at your tool and write to you.' }),
  });
  if (tool.state === 'published' && tool.closedAt)
    return (
      <Alert tone="warning" title={`Closed to new subscribers since ${formatDay(tool.closedAt)}`}>
        {tool.closedFor} Those who have it go on using it.
      </Alert>
    );
  if (tool.state === 'published')
    return (
      <Alert title="Your tool is in the catalogue">
        To change its name, address or what it is told of people, please write to us. To try something out, register a
        second tool.
      </Alert>
    );
  if (tool.state === 'requested')
    return (
      <Alert title="We are looking at your tool">
        You get an email once it is published, or what is missing. If you change its name, address or what it is told of
        people, please ask again.
      </Alert>
    );
  return (
    <Panel title="Publish" description="We open your tool as an adviser, agree on a price with you, and publish it.">
      {tool.refusedFor && (
        <Alert tone="warning" title="Not accepted yet" className="mb-4">
          {tool.refusedFor}
        </Alert>
      )}
      <Button pending={isPending} pendingLabel="Asking…" onClick={() => mutate({ params: { toolId: tool.id } })}>
        Ask us to publish it
      </Button>
    </Panel>
  );
};

/** Its maker's view: what they can do on the left, what happened on the right. */
const Own = (details: OwnToolDetails) => {
  const { tool, check, secrets, testAdvisers } = details;
  const published = tool.state === 'published';
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <div className="min-w-0 space-y-6">
        {!published && <Sandbox toolId={tool.id} advisers={testAdvisers} />}
        {!published && <Check tool={tool} check={check} />}
        <Publish tool={tool} />
        {published && <Disclose toolId={tool.id} />}
        {!published && (
          <Panel title="Settings">
            <ToolForm tool={tool} />
          </Panel>
        )}
        <OwnSecrets toolId={tool.id} secrets={secrets} />
      </div>
      <div className="min-w-0 space-y-6">
        <Logs {...details} />
      </div>
    </div>
  );
};

/** An administrator's view. They change nothing here; they try it out on /admin, where the audit log records it. */
const OfSomebodyElse = (details: OwnToolDetails) => {
  const { tool, check } = details;
  return (
    <div className="space-y-6">
      <Alert title="Somebody else’s tool">
        Only its maker can launch or change it here. Once they ask for it to be published, you try it out and decide on{' '}
        <TextLink href={paths.admin}>Admin</TextLink>.
      </Alert>
      {check && (
        <Panel title="Check">
          <Outcome check={check} domain={tool.domain} />
        </Panel>
      )}
      <Logs {...details} />
    </div>
  );
};

const Details = (details: OwnToolDetails) => {
  const { tool, mine } = details;
  return (
    <>
      <PageHeader
        title={tool.name}
        description={<span className="font-mono">{tool.id}</span>}
        badges={<Badge tone={states[tool.state].tone}>{states[tool.state].label}</Badge>}
      />
      {mine ? <Own {...details} /> : <OfSomebodyElse {...details} />}
    </>
  );
};

/** One tool: try it out, see what happens, publish it. */
export const ToolView = ({ toolId }: { toolId: string }) => (
  <>
    <p className="mb-4">
      <TextLink href={paths.developers()}>All my tools</TextLink>
    </p>
    <Loaded toolId={toolId} />
  </>
);

const Loaded = ({ toolId }: { toolId: string }) => (
  <QueryView
    query={useApiQuery(
      contract.developers.show,
      { params: { toolId } },
      { refetchInterval: refreshMs, refetchOnMount: 'always' },
    )}
    failedTitle="The tool could not be loaded"
    loading={<Loading label="Loading the tool" skeletons={['h-8 w-56', 'mt-6 h-40', 'mt-4 h-40']} />}
  >
    {(details) => <Details key={details.tool.id} {...details} />}
  </QueryView>
);
