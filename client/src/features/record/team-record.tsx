import { useState } from 'react';
import { brand } from '#shared/brand.ts';
import { contract } from '#shared/api/members.ts';
import type { Inventory, InventoryTool } from '#shared/api/recorded.ts';
import { formatCalendarDay, sydneyDate, formatSydneyDate } from '#shared/rules/dates.ts';
import { differenceText } from '#shared/rules/record/announcements.ts';
import { teamCan, type TeamRole } from '#shared/rules/people/teams.ts';
import { spentText } from '#shared/rules/record/analytics.ts';
import { useApiMutation, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { Asks } from '#client/features/record/asks.tsx';
import { Holds } from '#client/features/record/holds.tsx';
import { RecallAlert } from '#client/features/record/recall-alert.tsx';
import { ReviewSettings } from '#client/features/record/review-settings.tsx';
import { Register, useFilter } from '#client/features/record/register.tsx';
import { personName } from '#client/features/record/session-list.tsx';
import { dotted } from '#client/lib/words/format.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge, Button, ButtonLink, Panel, TextLink } from '#client/ui/elements.tsx';
import { Switch } from '#client/ui/checkbox.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { Row } from '#client/ui/list.tsx';

const [DecideDialog] = lazyDialog(() => import('#client/features/record/decide-dialog.tsx'));
const [ToolDialog] = lazyDialog(() => import('#client/features/record/tool-dialog.tsx'));
const [ReviewDialog] = lazyDialog(() => import('#client/features/record/review-dialog.tsx'));

const Due = ({ day }: { day: string }) =>
  day <= sydneyDate(businessNow()) ? (
    <Badge tone="warning">Review due since {formatCalendarDay(day)}</Badge>
  ) : (
    <Badge tone="outline">Review due {formatCalendarDay(day)}</Badge>
  );

const useText = ({ sessions, durationSeconds, unstated, unchecked, version, outside }: InventoryTool) =>
  sessions === 0
    ? outside
      ? 'No session recorded'
      : 'Not used'
    : dotted([
        sessions === 1 ? '1 session' : `${sessions} sessions`,
        durationSeconds > 0 && `${spentText(durationSeconds)} in all`,
        version && `version ${version}`,
        `${unstated} to review`,
        unchecked > 0 && `${unchecked} not checked`,
      ]);

type OfRole = { teamId: string; role: TeamRole };

type AllowProps = Pick<OfRole, 'teamId'> & { tool: InventoryTool; label: 'Allow' | 'Keep allowing' };

const AllowButton = ({ teamId, tool, label }: AllowProps) => {
  const { mutate, isPending } = useApiMutation(contract.record.decide, {
    failure: 'The decision could not be saved. Please try again.',
    onSuccess: () => toast({ title: `${tool.toolName} is allowed` }),
  });
  return (
    <Button
      size="sm"
      variant="secondary"
      pending={isPending}
      pendingLabel="Saving…"
      aria-label={`${label} ${tool.toolName}`}
      onClick={() => mutate({ params: { teamId, toolId: tool.toolId }, body: { allowed: true } })}
    >
      {label}
    </Button>
  );
};

const sinceReview = ({ toolId, reviews: [last] }: InventoryTool) =>
  paths.disclosure(toolId) + (last?.disclosureVersion ? `?since=${last.disclosureVersion}` : '');

/** What is, or will be, other than the practice reviewed. */
const Differences = ({ tool }: { tool: InventoryTool }) => (
  <div className="mt-1">
    <p className="font-medium">
      {tool.reviews.length > 0 ? 'Different from what you reviewed' : 'Different from the maker’s answers'}
    </p>
    <ul>
      {tool.differences.map((one) => (
        <li key={one.about} className="break-words">
          {differenceText(one)}
          {one.onDay && <span className="text-muted"> ({onDayText(one.onDay)})</span>}
        </li>
      ))}
      {tool.otherDifferences > 0 && (
        <li>
          <TextLink href={sinceReview(tool)}>
            {tool.otherDifferences === 1 ? 'One other answer' : `${tool.otherDifferences} other answers`}
          </TextLink>
        </li>
      )}
    </ul>
  </div>
);

const onDayText = (onDay: string) =>
  onDay > sydneyDate(businessNow()) ? `from ${formatCalendarDay(onDay)}` : `since ${formatCalendarDay(onDay)}`;

const ToolRow = ({ teamId, tool, role }: OfRole & { tool: InventoryTool }) => {
  const [dialog, setDialog] = useState<'decide' | 'review' | 'about'>();
  const isInUse = tool.decided || tool.sessions > 0;
  const about = { teamId, tool, onClose: () => setDialog(undefined) };
  return (
    <Row
      basis="basis-72"
      className="items-start"
      title={
        <>
          <h3 className="text-sm font-semibold">{tool.toolName}</h3>
          {tool.outside && <Badge tone="outline">Outside {brand.name}</Badge>}
          {tool.allowed ? <Badge tone="success">Allowed</Badge> : <Badge tone="danger">Not allowed</Badge>}
          {!tool.decided && <span className="text-xs font-normal text-muted">no decision yet</span>}
          {tool.toDecide && isInUse && <Badge tone="warning">Change to decide on</Badge>}
          {tool.reviewDue && <Due day={tool.reviewDue} />}
          {tool.accountable?.isMember === false && (
            <Badge tone="warning">{personName(tool.accountable)} has left</Badge>
          )}
        </>
      }
      action={
        teamCan(role, 'review') && (
          <div className="flex flex-wrap gap-2">
            {!teamCan(role, 'decide') ? null : tool.allowed ? (
              <Button
                size="sm"
                variant="secondary"
                aria-label={`Don't allow ${tool.toolName}`}
                onClick={() => setDialog('decide')}
              >
                Don’t allow
              </Button>
            ) : (
              <AllowButton teamId={teamId} tool={tool} label="Allow" />
            )}
            {teamCan(role, 'decide') && tool.allowed && tool.toDecide && isInUse && (
              <AllowButton teamId={teamId} tool={tool} label="Keep allowing" />
            )}
            {teamCan(role, 'decide') && (
              <Button
                size="sm"
                variant="ghost"
                aria-label={`About ${tool.toolName}`}
                onClick={() => setDialog('about')}
              >
                About
              </Button>
            )}
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Reviews of ${tool.toolName}`}
              onClick={() => setDialog('review')}
            >
              Reviews ({tool.reviews.length})
            </Button>
            <DecideDialog {...about} open={dialog === 'decide'} />
            <ReviewDialog {...about} redacts={teamCan(role, 'manage')} open={dialog === 'review'} />
            <ToolDialog {...about} open={dialog === 'about'} />
          </div>
        )
      }
    >
      {tool.reason && <p>{tool.reason}</p>}
      {tool.usedFor && <p>Used for: {tool.usedFor}</p>}
      {tool.dataAllowed && <p>What may go in: {tool.dataAllowed}</p>}
      {(tool.accountable ?? isInUse) && (
        <p className="text-xs text-muted">
          {tool.accountable ? `${personName(tool.accountable)} answers for it` : 'Nobody answers for it yet'}
        </p>
      )}
      <p className="text-xs text-muted">{useText(tool)}</p>
      {tool.people.length > 0 && (
        <p className="text-xs text-muted">
          {tool.people.map((person) => `${personName(person)} (${person.sessions})`).join(', ')}
        </p>
      )}
      {!tool.outside && (
        <p className="text-xs">
          <TextLink href={paths.disclosure(tool.toolId)}>Supplier due diligence</TextLink>{' '}
          <span className="text-muted">
            {tool.disclosedAt ? `supplied on ${formatSydneyDate(tool.disclosedAt)}` : 'not supplied'}
          </span>{' '}
          {!tool.announced && <Badge tone="warning">Nobody announced version {tool.version}</Badge>}
        </p>
      )}
      {!tool.outside && tool.differences.length + tool.otherDifferences > 0 && <Differences tool={tool} />}
    </Row>
  );
};

const NewTools = ({ teamId, allowed }: { teamId: string; allowed: boolean }) => {
  const { mutate, isPending } = useApiMutation(contract.record.allowNewTools, {
    failure: 'The setting could not be saved. Please try again.',
  });
  return (
    <Switch
      label="Allow tools we haven’t assessed"
      checked={allowed}
      disabled={isPending}
      onChange={(event) => mutate({ params: { teamId }, body: { allowed: event.target.checked } })}
    />
  );
};

const Tools = ({ teamId, inventory, role }: OfRole & { inventory: Inventory }) => (
  <>
    {teamCan(role, 'decide') && (
      <div className="mb-3">
        <NewTools teamId={teamId} allowed={inventory.newToolsAllowed} />
      </div>
    )}
    <ul className="divide-y border-y">
      {inventory.tools
        .toSorted((a, b) => b.sessions - a.sessions)
        .map((tool) => (
          <ToolRow key={tool.toolId} teamId={teamId} tool={tool} role={role} />
        ))}
    </ul>
  </>
);

const TeamRegister = ({ teamId, manages }: { teamId: string; manages: boolean }) => {
  const [filter, change] = useFilter({ ofTeam: true });
  const query = useFreshQuery(
    contract.record.teamSessions,
    { params: { teamId }, query: filter },
    { keepPrevious: true },
  );
  return <Register query={query} filter={filter} change={change} teamId={teamId} redacts={manages} />;
};

/** The practice's record: the tools in use, what is allowed and reviewed, and every session through its subscriptions. */
export default function TeamRecord({ teamId, role }: OfRole) {
  const manages = teamCan(role, 'manage');
  const [listing, setListing] = useState(false);
  const inventory = useFreshQuery(contract.record.inventory, { params: { teamId }, query: {} });
  return (
    <div className="grid grid-cols-1 gap-6">
      <RecallAlert teamId={teamId} />
      <Asks teamId={teamId} role={role} />
      <Panel
        title="Tools"
        action={
          teamCan(role, 'decide') && (
            <>
              <Button size="sm" variant="secondary" onClick={() => setListing(true)}>
                List another AI tool
              </Button>
              <ToolDialog teamId={teamId} tool={null} open={listing} onClose={() => setListing(false)} />
            </>
          )
        }
        description="What the practice used in the last 90 days, here and elsewhere, what it allows, who answers for it, and its reviews. Members can't open or buy a tool that is not allowed; nothing they pay for is cancelled."
      >
        <QueryView
          query={inventory}
          failedTitle="The inventory could not be loaded"
          loading={
            <Loading label="Loading the inventory" className="space-y-3" skeletons={Array<string>(4).fill('h-14')} />
          }
        >
          {(loaded) => <Tools teamId={teamId} inventory={loaded} role={role} />}
        </QueryView>
      </Panel>
      <Panel
        title="Sessions"
        description="Includes sessions by people who have since left. Sessions from before the record began are not here."
        action={
          <ButtonLink href={paths.packs(teamId)} variant="secondary" size="sm">
            Evidence packs
          </ButtonLink>
        }
      >
        <TeamRegister teamId={teamId} manages={manages} />
      </Panel>
      <ReviewSettings teamId={teamId} rules={inventory.data?.rules} manages={manages} />
      <Holds teamId={teamId} manages={manages} />
    </div>
  );
}
