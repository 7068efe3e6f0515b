import { Layers } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import { priceOfOneMore, tiersOf } from '#shared/rules/billing/bulk-banner.ts';
import { formatCentsShort } from '#shared/rules/billing/money.ts';
import { trialDays } from '#shared/rules/billing/trial-days.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { SubscriptionRow } from '#client/features/subscriptions/subscription-row.tsx';
import { WinBackOffers } from '#client/features/subscriptions/win-back-offers.tsx';
import { useForecast, useOwnedTeams } from '#client/lib/money/payer.tsx';
import { useNotAllowed } from '#client/lib/money/not-allowed.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { Badge, ButtonLink, Panel, type Part, TextLink } from '#client/ui/elements.tsx';
import { both, EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

const subscribeFor = (toolId: string, teamId: string) => `${paths.subscribe(toolId)}?team=${teamId}`;

const MoreTool = ({ tool, teamId }: { tool: Tool; teamId: string }) => {
  const notAllowed = useNotAllowed(tool.id);
  const tiers = useApiQuery(contract.subscriptions.tiers).data;
  const forecast = useForecast({ teamId }).data;
  const team = useOwnedTeams().find(({ id }) => id === teamId);
  const members = forecast?.members ?? 1;
  const cost =
    team &&
    tiers &&
    forecast &&
    priceOfOneMore({ ...team, kind: 'team', freeAccess: false, members }, tool, forecast, tiersOf(tiers));
  const price = cost
    ? `${formatCentsShort(cost.next.totalCents)}/month for ${members} ${members === 1 ? 'member' : 'members'}`
    : '\u00a0';
  return (
    <li className="flex items-center gap-2 py-3 sm:gap-3">
      <ToolIcon icon={tool.icon} className="size-8!" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{tool.name}</span>
          {notAllowed && <Badge tone="danger">Not allowed</Badge>}
        </p>
        <p className="figures text-xs text-muted">
          {notAllowed
            ? notAllowed.reason
              ? `“${notAllowed.reason}”`
              : `${notAllowed.teamName} doesn’t allow it.`
            : price}
        </p>
      </div>
      {notAllowed ? (
        <TextLink href={`${paths.teams}?team=${teamId}&tab=record`} className="shrink-0 text-xs">
          See the register
        </TextLink>
      ) : (
        <ButtonLink
          href={subscribeFor(tool.id, teamId)}
          variant="secondary"
          size="sm"
          aria-label={`Subscribe to ${tool.name} for the team`}
        >
          Subscribe
        </ButtonLink>
      )}
    </li>
  );
};

const Held = ({ teamId, subscriptions, users }: Omit<LoadedProps, 'tools'>) => (
  <Panel
    title="The practice’s tools"
    description="Members open them from their dashboards. You pay for everyone who may open a tool."
    bodyClassName="flex flex-col gap-4 pt-3!"
  >
    {subscriptions.length > 0 ? (
      <>
        <WinBackOffers teamId={teamId} />
        <ul aria-label="The practice’s tools" className="@container divide-y">
          {subscriptions.map((subscription) => (
            <SubscriptionRow
              key={subscription.id}
              subscription={subscription}
              ofPage
              users={users(subscription.toolId)}
            />
          ))}
        </ul>
      </>
    ) : (
      <EmptyState
        icon={<Layers />}
        title="No tools yet"
        description={`Subscribe to the first one: the trial is free for ${trialDays.team} days and needs no card.`}
      />
    )}
  </Panel>
);

export const TeamTools = ({ teamId, users }: Pick<LoadedProps, 'teamId' | 'users'>) => {
  const tools = useApiQuery(contract.tools.list);
  const list = useApiQuery(contract.subscriptions.list);
  return (
    <QueryView
      query={both(tools, list)}
      failedTitle="The practice’s tools could not be loaded"
      framedFailure
      loading={<Loading label="Loading the practice’s tools" className="grid gap-6" skeletons={['h-64', 'h-64']} />}
    >
      {([catalogue, subscriptions]) => (
        <Loaded teamId={teamId} users={users} tools={catalogue} subscriptions={subscriptions} />
      )}
    </QueryView>
  );
};

type LoadedProps = {
  teamId: string;
  tools: readonly Tool[];
  subscriptions: readonly Subscription[];
  users: (toolId: string) => Part;
};

const Loaded = ({ teamId, tools, subscriptions, users }: LoadedProps) => {
  const position = ({ toolId }: Subscription) => tools.findIndex(({ id }) => id === toolId);
  const held = subscriptions.filter((sub) => sub.teamId === teamId).toSorted((a, b) => position(a) - position(b));
  const taken = new Set(held.filter(({ status }) => status !== 'expired').map(({ toolId }) => toolId));
  const more = tools.filter(
    ({ id, isActive, comingSoon, closed }) =>
      isActive && !comingSoon && !closed && id !== lostMoneyTool && !taken.has(id),
  );
  const free = tools.find(({ id }) => id === lostMoneyTool && !taken.has(id))?.name;
  return (
    <div className="grid grid-cols-1 gap-6">
      <Held teamId={teamId} subscriptions={held} users={users} />
      {more.length > 0 && (
        <Panel title="More tools" description={free && `${free} is free with any of them`} bodyClassName="pt-2! pb-2!">
          <ul aria-label="More tools" className="divide-y">
            {more.map((tool) => (
              <MoreTool key={tool.id} tool={tool} teamId={teamId} />
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
};
