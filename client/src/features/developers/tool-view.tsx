import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { OwnTool, OwnToolDetails, TestAdviser } from '#shared/api/developers.ts';
import { contract } from '#shared/api/index.ts';
import {
  type EndReason,
  endReasons,
  maxTestAdvisers,
  isOwnEvent,
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
import { Publish, StagingTwin } from '#client/features/developers/publish.tsx';
import { PriceAndTakings } from '#client/features/developers/takings.tsx';
import { Announcements } from '#client/features/developers/announcements.tsx';
import { Figures } from '#client/features/developers/figures.tsx';
import { Recalls } from '#client/features/developers/recalls.tsx';
import { ToolForm } from '#client/features/developers/tool-form.tsx';
import { endings, eventLabel, states } from '#client/features/developers/tool-words.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge, Button, ButtonLink, PageHeader, Panel, TextLink } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { Select } from '#client/ui/field.tsx';
import { Row } from '#client/ui/list.tsx';

const refreshMs = 4000;

/** What its maker can do on the left, what happened on the right. */
const Own = (details: OwnToolDetails) => {
  const { tool, check, missing, secrets, testAdvisers } = details;
  const { staging } = tool;
  const published = tool.state === 'published';
  const tried = published ? staging && { ...tool, ...staging } : tool;
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
      <div className="min-w-0 space-y-6">
        {published && <StagingTwin tool={tool} missing={missing} />}
        {tried && <Sandbox tool={tried} advisers={testAdvisers} />}
        {tried && <Check tool={tried} check={check} />}
        <Publish tool={tool} missing={missing} />
        <PriceAndTakings tool={tool} />
        {published && <Figures toolId={tool.id} />}
        {published && <Announcements as="maker" toolId={tool.id} mayAnnounce />}
        {published && <Recalls as="maker" toolId={tool.id} />}
        <OwnDisclosure toolId={tool.id} staging={staging} />
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
  const [, event] = events[Number(chosen)]!;
  const send = () => mutate({ params: { toolId, id: adviser.id }, body: event });
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
      <p className="w-full text-xs text-muted">
        {isOwnEvent(event.type)
          ? 'About the tool itself, which stays as it is.'
          : `About ${adviser.name}, whose access stays as it is.`}
      </p>
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
