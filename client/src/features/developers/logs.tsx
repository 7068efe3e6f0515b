import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { OwnToolDetails, ToolDelivery, ToolLaunch } from '#shared/api/developers.ts';
import { contract } from '#shared/api/index.ts';
import { eventLabel, refusalKinds } from '#client/features/developers/tool-words.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { Badge, Button, Panel, type Tone, type Part, Text } from '#client/ui/elements.tsx';
import { Row, ScrollList } from '#client/ui/list.tsx';

const Log = ({ title, none, children }: { title: string; none: string; children: ReactNode[] }) => (
  <Panel title={title}>
    {children.length === 0 ? (
      <p className="text-sm text-muted">{none}</p>
    ) : (
      <ScrollList label={`${title}, the newest first`} className="max-h-96">
        {children}
      </ScrollList>
    )}
  </Panel>
);

type EntryProps = {
  tone: Tone;
  mark: string;
  what: ReactNode;
  more: ReactNode;
  at: Date;
  action?: Part;
  bodies?: string[];
};

const Entry = ({ tone, mark, what, more, at, action, bodies = [] }: EntryProps) => (
  <Row
    title={
      <>
        <Badge tone={tone}>{mark}</Badge>
        <span>{what}</span>
      </>
    }
    action={action}
  >
    <p className="figures mt-1 text-xs text-muted">
      <Text>{formatDateTime(at)} · </Text>
      <Text>{more}</Text>
    </p>
    {bodies.length > 0 && (
      <details className="mt-1 text-xs">
        <summary>What was said</summary>
        {bodies.map((body) => (
          <pre key={body} className="mt-1 [overflow-wrap:anywhere] whitespace-pre-wrap">
            {body}
          </pre>
        ))}
      </details>
    )}
  </Row>
);

const reported = ({ reports, durationSeconds }: ToolLaunch) =>
  reports === 0
    ? 'no report yet'
    : `${reports === 1 ? '1 report' : `${reports} reports`}, ${Math.round(durationSeconds / 60)} min of work`;

const Delivery = ({ toolId, event }: { toolId: string; event: ToolDelivery }) => {
  const { mutate, isPending } = useApiMutation(contract.developers.replay, {
    onSuccess: ({ message }) => toast({ title: event.type, description: message }),
  });
  const [tone, mark]: [Tone, string] = event.deliveredAt
    ? ['success', 'Delivered']
    : event.nextAttemptAt
      ? ['warning', 'Waiting']
      : ['danger', 'Given up'];
  const who = event.who ?? 'the tool';
  const tries = event.attempts === 1 ? '1 try' : `${event.attempts} tries`;
  const outcome = event.lastError ?? (event.lastStatus === null ? 'not tried yet' : `answered ${event.lastStatus}`);
  const next = event.nextAttemptAt && event.attempts > 0 ? `, next ${formatDateTime(event.nextAttemptAt)}` : '';
  const confirmed = event.type === 'person.erase' && (event.confirmedAt ? ', confirmed' : ', not confirmed yet');
  return (
    <Entry
      tone={tone}
      mark={mark}
      what={`${eventLabel(event.type, event.reason)}: ${who}`}
      at={event.createdAt}
      bodies={[event.body]}
      more={
        <Text>
          {tries}, {outcome}
          {next}
          {confirmed}
        </Text>
      }
      action={
        !event.nextAttemptAt && (
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Send ${event.type} about ${who} again`}
            pending={isPending}
            pendingLabel="Sending…"
            onClick={() => mutate({ params: { toolId, id: event.id } })}
          >
            <RotateCcw aria-hidden />
            Send again
          </Button>
        )
      }
    />
  );
};

/** What happened between us and the tool's server, the newest fifty of each kind. */
export const Logs = ({ tool, launches, refusals, deliveries }: OwnToolDetails) => (
  <>
    <Log title="Launches" none="Nobody has opened the tool in the last week.">
      {launches.map((launch) => (
        <Entry
          key={launch.id}
          tone={launch.exchangedAt ? 'success' : 'neutral'}
          mark={launch.exchangedAt ? 'Exchanged' : 'Launched'}
          what={launch.who}
          at={launch.createdAt}
          bodies={launch.bodies}
          more={`${launch.fromCheck ? 'from the check, ' : ''}${launch.exchangedAt ? reported(launch) : 'the token was not exchanged'}${launch.sessionId ? `, session ${launch.sessionId}` : ''}`}
        />
      ))}
    </Log>
    <Log title="Refused calls" none="Nothing was refused in the last week.">
      {refusals.map(({ id, kind, message, body, times, duringCheck, createdAt }) => (
        <Entry
          key={id}
          tone="danger"
          mark={refusalKinds[kind]}
          what={message}
          at={createdAt}
          bodies={body ? [body] : []}
          more={`${times === 1 ? 'once' : `${times} times`}${duringCheck ? ', during the check' : ''}`}
        />
      ))}
    </Log>
    <Log
      title="Events sent"
      none={`No event was sent yet.${tool.state !== 'published' ? ' To see one, open the tool as a test adviser, then end their access.' : ''}`}
    >
      {deliveries.map((event) => (
        <Delivery key={event.id} toolId={tool.id} event={event} />
      ))}
    </Log>
  </>
);
