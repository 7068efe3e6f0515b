import { ChartNoAxesColumn, Download } from 'lucide-react';
import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { teamUsageDays } from '#shared/rules/people/teams.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { addressOf } from '#shared/api/address.ts';
import type { MemberUsage } from '#shared/api/teams.ts';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { ButtonLink, Panel } from '#client/ui/elements.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { Select } from '#client/ui/field.tsx';
import { nameOf } from '#client/features/teams/team-labels.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { billDay, formatDateTime, formatRelative } from '#client/lib/words/format.ts';

export const TeamUsage = ({ team }: MyTeam) => {
  const params = { teamId: team.id };
  const [days, setDays] = useState(String(teamUsageDays));
  const usage = useFreshQuery(contract.teams.usage, { params, query: { days } }, { keepPrevious: true });
  return (
    <Panel
      title="Usage"
      description={`Sessions with the practice’s tools, last ${days} days (since ${billDay(plus(businessNow(), -Number(days) * day))})`}
      action={
        usage.data &&
        usage.data.length > 0 && (
          <div className="flex flex-wrap gap-2">
            <Select
              aria-label="Days"
              className="w-auto!"
              value={days}
              onChange={(event) => setDays(event.target.value)}
              options={['7', '30', '90', '365'].map((value) => ({ value, label: `${value} days` }))}
            />
            <ButtonLink
              href={addressOf(contract.teams.usageCsv, { params, query: { days } })}
              download
              variant="secondary"
            >
              <Download aria-hidden />
              Download CSV
            </ButtonLink>
          </div>
        )
      }
      bodyClassName="pt-3!"
    >
      <QueryView
        query={usage}
        failedTitle="The usage could not be loaded"
        loading={<Loading label="Loading usage" className="space-y-3" skeletons={['h-8', 'h-8', 'h-8']} />}
        empty={
          <EmptyState
            icon={<ChartNoAxesColumn />}
            title="No tools to report on"
            description="Once the practice subscribes to a tool, each member’s usage shows here."
          />
        }
      >
        {(rows) => <UsageMatrix rows={rows} />}
      </QueryView>
    </Panel>
  );
};

const cell = 'py-2 pl-3 text-right align-top';
const person = 'sticky left-0 min-w-28 bg-surface py-2 pr-2 text-left';

/** Sessions of one person with one tool; the title says when the last one was. A dash: it is for others. */
const Sessions = ({ use }: { use: MemberUsage | undefined }) => (
  <td className={cell} title={use?.lastUsedAt ? `Last used ${formatDateTime(use.lastUsedAt)}` : undefined}>
    {use && use.sessions > 0 ? use.sessions : <span className="text-muted">{use ? 0 : '–'}</span>}
  </td>
);

const LastUsed = ({ rows }: { rows: readonly MemberUsage[] }) => {
  const last = rows.flatMap(({ lastUsedAt }) => lastUsedAt ?? []).toSorted((a, b) => b.getTime() - a.getTime())[0];
  return last ? (
    <time dateTime={last.toISOString()} title={formatDateTime(last)}>
      {formatRelative(last, businessNow())}
    </time>
  ) : (
    <span className="text-muted">Never</span>
  );
};

const sum = (rows: readonly MemberUsage[]) => rows.reduce((total, { sessions }) => total + sessions, 0);

/** People down, tools across; on a narrow screen the names stay while the tools scroll. */
const UsageMatrix = ({ rows }: { rows: readonly MemberUsage[] }) => {
  const tools = [...new Map(rows.map(({ toolId, toolName }) => [toolId, toolName]))];
  const people = [...new Set(rows.map(({ userId }) => userId))].map((id) => rows.filter(({ userId }) => userId === id));
  return (
    <>
      <div
        tabIndex={0}
        role="group"
        aria-label="Usage by person and tool"
        className="relative overflow-x-auto rounded-sm"
      >
        <table aria-label="Usage" className="figures w-full">
          <thead className="align-bottom text-xs text-muted">
            <tr>
              <th scope="col" className={`${person} font-medium sm:w-64`}>
                Person
              </th>
              {[...tools.map(([, name]) => name), 'All tools', 'Last used'].map((name) => (
                <th
                  key={name}
                  scope="col"
                  className={`py-2 pl-3 text-right font-medium ${name === 'Last used' ? 'max-sm:hidden' : ''}`}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y border-y">
            {people.map((own) => (
              <tr key={own[0]!.userId}>
                <th scope="row" className={`${person} max-w-40 font-medium break-words sm:max-w-none`}>
                  {nameOf(own[0]!)}
                  {own[0]!.former && <span className="block text-xs font-normal text-muted">Former member</span>}
                  <span className="block text-xs font-normal text-muted sm:hidden">
                    <LastUsed rows={own} />
                  </span>
                  <span className="block text-xs font-normal break-all text-muted max-sm:hidden">{own[0]!.email}</span>
                </th>
                {tools.map(([toolId]) => (
                  <Sessions key={toolId} use={own.find((row) => row.toolId === toolId)} />
                ))}
                <td className={`${cell} font-medium`}>{sum(own)}</td>
                <td className={`${cell} whitespace-nowrap max-sm:hidden`}>
                  <LastUsed rows={own} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot className="font-medium">
            <tr>
              <th scope="row" className={`${person} font-medium`}>
                Everyone
              </th>
              {tools.map(([toolId]) => (
                <td key={toolId} className={cell}>
                  {sum(rows.filter((row) => row.toolId === toolId))}
                </td>
              ))}
              <td className={cell}>{sum(rows)}</td>
              <td className={`${cell} whitespace-nowrap max-sm:hidden`}>
                <LastUsed rows={rows} />
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
    </>
  );
};
