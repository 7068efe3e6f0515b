import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { OwnTool, OwnToolDetails, TestAdviser } from '#shared/api/developers.ts';
import { errors } from '#shared/api/errors.ts';
import { contract } from '#shared/api/index.ts';
import {
  type EndReason,
  endReasons,
  maxTestAdvisers,
  type TestEnding,
  testEndings,
  type ToolEventType,
  toolEventTypes,
} from '#shared/rules/tools/tools.ts';
import { useApiMutation, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { OwnSecrets } from '#client/features/developers/secrets.tsx';
import { Check } from '#client/features/developers/check.tsx';
import { OwnDisclosure } from '#client/features/developers/disclosure-form.tsx';
import { Logs } from '#client/features/developers/logs.tsx';
import { PriceAndTakings } from '#client/features/developers/takings.tsx';
import { ToolForm } from '#client/features/developers/tool-form.tsx';
import { endings, eventLabel, states } from '#client/features/developers/tool-words.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Alert, Badge, Button, ButtonLink, PageHeader, Panel, TextLink } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { Select } from '#client/ui/field.tsx';
import { Row } from '#client/ui/list.tsx';

const refreshMs = 4000;

const Publish = ({ tool, missing }: Pick<OwnToolDetails, 'tool' | 'missing'>) => {
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
    <Panel title="Publish" description="We open your tool as an adviser, accept your price, and publish it.">
      {tool.refusedFor && (
        <Alert tone="warning" title="Not accepted yet" className="mb-4">
          {tool.refusedFor}
        </Alert>
      )}
      {missing.length > 0 && (
        <>
          <p>Before it can be published:</p>
          <ul aria-label="Missing for publication" className="mt-1 mb-4 list-disc pl-5">
            {missing.map((demand) => (
              <li key={demand}>{errors[demand][1]}</li>
            ))}
          </ul>
        </>
      )}
      <Button pending={isPending} pendingLabel="Asking…" onClick={() => mutate({ params: { toolId: tool.id } })}>
        Ask us to publish it
      </Button>
    </Panel>
  );
};

/** What its maker can do on the left, what happened on the right. */
const Own = (details: OwnToolDetails) => {
  const { tool, check, missing, secrets, testAdvisers } = details;
  const published = tool.state === 'published';
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <div className="min-w-0 space-y-6">
        {!published && <Sandbox tool={tool} advisers={testAdvisers} />}
        {!published && <Check tool={tool} check={check} />}
        <Publish tool={tool} missing={missing} />
        <PriceAndTakings tool={tool} />
        <OwnDisclosure toolId={tool.id} />
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

const Details = (details: OwnToolDetails) => {
  const { tool } = details;
  return (
    <>
      <PageHeader
        title={tool.name}
        description={<span className="font-mono">{tool.id}</span>}
        badges={<Badge tone={states[tool.state].tone}>{states[tool.state].label}</Badge>}
      />
      <Own {...details} />
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
    query={useFreshQuery(contract.developers.show, { params: { toolId } }, { refetchInterval: refreshMs })}
    failedTitle="The tool could not be loaded"
    loading={<Loading label="Loading the tool" skeletons={['h-8 w-56', 'mt-6 h-40', 'mt-4 h-40']} />}
  >
    {(details) => <Details key={details.tool.id} {...details} />}
  </QueryView>
);

const Launch = ({ toolId, adviser }: { toolId: string; adviser: TestAdviser }) => {
  const [url, setUrl] = useState<string | null>(null);
  const { mutate, isPending } = useApiMutation(contract.developers.launchAs, {
    onSuccess: (launch) => setUrl(launch.url),
  });
  // A link, because it works only once: the maker may open it, or copy it and take it apart.
  return url ? (
    <ButtonLink
      ref={(link: HTMLAnchorElement | null) => link?.focus()}
      href={url}
      target="_blank"
      rel="noreferrer"
      size="sm"
      onClick={() => setTimeout(() => setUrl(null))}
    >
      <ExternalLink aria-hidden />
      Open as {adviser.name}
    </ButtonLink>
  ) : (
    <Button
      size="sm"
      aria-label={`Launch as ${adviser.name}`}
      pending={isPending}
      pendingLabel="Launching…"
      onClick={() => mutate({ params: { toolId, id: adviser.id } })}
    >
      Launch
    </Button>
  );
};

const AdviserRow = ({ toolId, adviser }: { toolId: string; adviser: TestAdviser }) => {
  const [how, setHow] = useState<TestEnding>('cancelled');
  const { mutate, isPending } = useApiMutation(contract.developers.endAccess, {
    onSuccess: ({ message }) => toast({ title: adviser.name, description: message }),
  });
  const change = (ended: TestEnding | null) => mutate({ params: { toolId, id: adviser.id }, body: { ended } });
  return (
    <Row
      title={
        <>
          {adviser.name}
          {adviser.ended && <Badge tone="warning">No access</Badge>}
        </>
      }
      action={
        adviser.ended ? (
          <Button variant="secondary" size="sm" pending={isPending} pendingLabel="Giving…" onClick={() => change(null)}>
            Give {adviser.name} access again
          </Button>
        ) : (
          <div className="flex flex-wrap items-center gap-2">
            <Launch toolId={toolId} adviser={adviser} />
            <Select
              aria-label={`How the access of ${adviser.name} ends`}
              options={testEndings.map((value) => ({ value, label: endings[value] }))}
              value={how}
              onChange={(event) => setHow(event.target.value as TestEnding)}
            />
            <Button
              variant="secondary"
              size="sm"
              aria-label={`End the access of ${adviser.name}`}
              pending={isPending}
              pendingLabel="Ending…"
              onClick={() => change(how)}
            >
              End access
            </Button>
          </div>
        )
      }
    >
      <p className="text-xs text-muted">{adviser.email}</p>
    </Row>
  );
};

const events: [string, { type: ToolEventType; reason?: EndReason }][] = [
  ...endReasons.map((reason): (typeof events)[number] => [
    eventLabel('access.ended', reason),
    { type: 'access.ended', reason },
  ]),
  ...toolEventTypes.filter((type) => type !== 'access.ended').map((type): (typeof events)[number] => [type, { type }]),
];

/** Sends an event without any change behind it, to see what the tool makes of it. */
const SendEvent = ({ toolId, adviser }: { toolId: string; adviser: TestAdviser }) => {
  const [chosen, setChosen] = useState('0');
  const { mutate, isPending } = useApiMutation(contract.developers.sendEvent, {
    onSuccess: ({ message }) => toast({ title: adviser.name, description: message }),
  });
  const send = () => mutate({ params: { toolId, id: adviser.id }, body: events[Number(chosen)]![1] });
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 border-t pt-3">
      <Select
        aria-label="Test event"
        options={events.map(([label], index) => ({ value: String(index), label }))}
        value={chosen}
        onChange={(event) => setChosen(event.target.value)}
      />
      <Button variant="secondary" size="sm" pending={isPending} pendingLabel="Sending…" onClick={send}>
        Send as a test event
      </Button>
      <p className="w-full text-xs text-muted">About {adviser.name}, whose access stays as it is.</p>
    </div>
  );
};

/** Made-up people, for whom launches, reports and events work as for anybody else. */
export const Sandbox = ({ tool, advisers }: { tool: OwnTool; advisers: TestAdviser[] }) => {
  const toolId = tool.id;
  const { mutate, isPending } = useApiMutation(contract.developers.addTestAdviser, {
    onSuccess: ({ message }) => toast({ title: 'Test adviser', description: message }),
  });
  return (
    <Panel
      title="Test advisers"
      description="Made-up people who may use this tool and nothing else. Launches, reports and events are as in production. Launch makes a link that opens the tool once, within five minutes."
    >
      <ul aria-label="Test advisers" className="divide-y">
        {advisers.map((adviser) => (
          <AdviserRow key={adviser.id} toolId={toolId} adviser={adviser} />
        ))}
      </ul>
      {advisers.length < maxTestAdvisers && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-3"
          pending={isPending}
          pendingLabel="Adding…"
          onClick={() => mutate({ params: { toolId } })}
        >
          Add a test adviser
        </Button>
      )}
      {tool.eventsUrl && advisers[0] && <SendEvent toolId={toolId} adviser={advisers[0]} />}
    </Panel>
  );
};
