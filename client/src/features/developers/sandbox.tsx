import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { TestAdviser } from '#shared/api/developers.ts';
import { contract } from '#shared/api/index.ts';
import { maxTestAdvisers, type TestEnding, testEndings } from '#shared/rules/tools/tools.ts';
import { endings } from '#client/features/developers/words.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button, ButtonLink } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Select } from '#client/ui/form.tsx';
import { Row } from '#client/ui/list.tsx';

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

/** Made-up people, for whom launches, reports and events work as for anybody else. */
export const Sandbox = ({ toolId, advisers }: { toolId: string; advisers: TestAdviser[] }) => {
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
    </Panel>
  );
};
