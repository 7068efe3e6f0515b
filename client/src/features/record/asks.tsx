import { useState } from 'react';
import type { OpenAsk } from '#shared/api/asks.ts';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { formatCalendarDay, formatSydneyDate } from '#shared/rules/dates.ts';
import { teamCan, type TeamRole } from '#shared/rules/people/teams.ts';
import { personName } from '#client/features/record/session-list.tsx';
import { useApiMutation, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge, Button, ButtonLink, Panel, Text, TextLink } from '#client/ui/elements.tsx';
import { Row } from '#client/ui/list.tsx';

const [DeclineDialog] = lazyDialog(() => import('#client/features/record/decline-dialog.tsx'));

const members = (count: number) => `${count} ${count === 1 ? 'member' : 'members'}`;

/** What it would cost, for whom, and what the next bill becomes. */
function costText({ cost, forOthers }: OpenAsk): string {
  if (!cost) return 'The practice has it already.';
  if (forOthers) return `The practice has it for others. One more member costs ${formatCents(cost.moreCents)} a month.`;
  const { toolCents, moreCents, billDay, billCents } = cost;
  const whole = `${formatCents(toolCents)} a month for ${members(cost.members)}`;
  if (billDay === null || billCents === null) return `It would cost ${whole}.`;
  const change =
    moreCents === toolCents
      ? ''
      : ` With its discounts, the bill goes ${moreCents < 0 ? 'down' : 'up'} by ${formatCents(Math.abs(moreCents))}.`;
  return `It would cost ${whole}.${change} From ${formatCalendarDay(billDay)} the bill is ${formatCents(billCents)} a month.`;
}

const outcomes = { allowed: 'Allowed', bought: 'Bought', declined: 'Declined' } as const;

/** What members ask for; nothing where nobody ever has. */
export const Asks = ({ teamId, role }: { teamId: string; role: TeamRole }) => {
  const asks = useFreshQuery(contract.asks.ofTeam, { params: { teamId } }).data;
  if (!asks || asks.open.length + asks.answered.length === 0) return null;
  return (
    <Panel title="Asked for" description="Tools that members ask the practice for">
      <ul aria-label="Asked for" className="divide-y border-y">
        {asks.open.map((ask) => (
          <Asked key={ask.id} ask={ask} role={role} />
        ))}
        {asks.answered.map((ask) => (
          <Row
            key={ask.id}
            title={
              <>
                <h3 className="text-sm font-semibold">{ask.toolName}</h3>
                {ask.outcome && (
                  <Badge tone={ask.outcome === 'declined' ? 'neutral' : 'success'}>{outcomes[ask.outcome]}</Badge>
                )}
              </>
            }
          >
            <p className="text-xs text-muted">
              <Text>
                {`${personName(ask)} asked on ${formatDay(ask.askedAt)}.`}
                {ask.answer && ` The answer: “${ask.answer}”`}
              </Text>
            </p>
          </Row>
        ))}
      </ul>
    </Panel>
  );
};

const Asked = ({ ask, role }: { ask: OpenAsk; role: TeamRole }) => {
  const { id, teamId, toolId, toolName, allowed, disclosedAt } = ask;
  const [declining, setDeclining] = useState(false);
  const allow = useApiMutation(contract.asks.answer, {
    failure: 'The answer could not be saved. Please try again.',
    onSuccess: () => toast({ title: `${toolName} is allowed`, description: `${personName(ask)} is told.` }),
  });
  return (
    <Row
      basis="basis-72"
      className="items-start"
      title={
        <>
          <h3 className="text-sm font-semibold">{toolName}</h3>
          {!allowed && <Badge tone="warning">Not allowed</Badge>}
        </>
      }
      action={
        teamCan(role, 'decide') && (
          <div className="flex flex-wrap gap-2">
            {!allowed && (
              <Button
                size="sm"
                aria-label={`Allow ${toolName}`}
                pending={allow.isPending}
                pendingLabel="Saving…"
                onClick={() => allow.mutate({ params: { teamId, id }, body: { outcome: 'allowed' } })}
              >
                Allow
              </Button>
            )}
            {allowed && ask.forOthers && teamCan(role, 'manage') && (
              <ButtonLink
                size="sm"
                href={`${paths.teams}?team=${teamId}&tab=tools`}
                aria-label={`Choose who uses ${toolName}`}
              >
                Choose who uses it…
              </ButtonLink>
            )}
            {allowed && ask.cost && !ask.forOthers && teamCan(role, 'manage') && (
              <ButtonLink size="sm" href={`${paths.subscribe(toolId)}?team=${teamId}`} aria-label={`Buy ${toolName}`}>
                Buy…
              </ButtonLink>
            )}
            <Button size="sm" variant="secondary" aria-label={`Decline ${toolName}`} onClick={() => setDeclining(true)}>
              Decline…
            </Button>
            <DeclineDialog ask={ask} open={declining} onClose={() => setDeclining(false)} />
          </div>
        )
      }
    >
      <p className="break-words">
        {personName(ask)} asked on {formatDay(ask.askedAt)}: “{ask.reason}”
      </p>
      <p className="figures text-xs text-muted">{costText(ask)}</p>
      <p className="text-xs">
        <TextLink href={paths.disclosure(toolId)}>Supplier due diligence</TextLink>{' '}
        <span className="text-muted">
          {disclosedAt ? `supplied on ${formatSydneyDate(disclosedAt)}` : 'not supplied'}
        </span>
      </p>
    </Row>
  );
};
