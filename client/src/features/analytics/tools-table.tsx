import type { UsageByTool } from '#shared/api/analytics.ts';
import { spentText } from '#shared/rules/record/analytics.ts';
import type { ToolIconName } from '#shared/rules/tools/tools.ts';
import { useToolLook } from '#client/lib/words/tool-look.ts';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/query-view.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

/** Lets a narrow screen break the line between hours and minutes, but not inside either. */
const timeText = (seconds: number) => spentText(seconds).replaceAll(/ (h|min)/g, '\u00a0$1');

const numbers = ['Sessions', 'Time', 'Score', 'Saved'] as const;

const Row = ({ tool, icon }: { tool: UsageByTool; icon: ToolIconName }) => (
  <tr>
    <th scope="row" className="py-2 font-normal">
      <span className="flex items-center gap-2 sm:gap-2.5">
        <ToolIcon icon={icon} className="size-7! max-sm:hidden! [&_svg]:size-4!" />
        {/* The tool's colour in the chart. */}
        <span aria-hidden data-tool={icon} className="size-2.5 shrink-0 rounded-sm bg-tool" />
        <span className="sm:min-w-16">{tool.name}</span>
      </span>
    </th>
    <td className="py-2 pl-2 text-right sm:pl-4">{tool.sessions}</td>
    <td className="py-2 pl-2 text-right sm:pl-4">{timeText(tool.durationSeconds)}</td>
    <td className="py-2 pl-2 text-right sm:pl-4">
      {tool.avgPerformance === null ? (
        <span className="text-muted">
          –<span className="sr-only">no score</span>
        </span>
      ) : (
        tool.avgPerformance.toFixed(1)
      )}
    </td>
    <td className="py-2 pl-2 text-right sm:pl-4">{timeText(tool.minutesSaved * 60)}</td>
  </tr>
);

/** The last 30 days by tool. Time saved is an estimate. */
export const ToolsTable = ({ tools }: { tools: readonly UsageByTool[] }) => {
  const lookOf = useToolLook();
  return (
    <Panel
      as="h3"
      title="By tool"
      description="Sessions, time spent, average score out of 10 and estimated time saved"
      bodyClassName="pt-3"
    >
      {tools.length > 0 ? (
        <div tabIndex={0} role="group" aria-label="By tool" className="relative overflow-x-auto rounded-sm">
          <table className="figures w-full text-left">
            <thead className="align-bottom text-xs text-muted">
              <tr>
                <th scope="col" className="py-1 font-medium">
                  Tool
                </th>
                {numbers.map((name) => (
                  <th key={name} scope="col" className="py-1 pl-2 text-right font-medium sm:pl-4">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y">
              {tools.map((tool) => (
                <Row key={tool.toolId} tool={tool} icon={lookOf(tool.toolId).icon} />
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <EmptyState
          title="No tools used in the last 30 days"
          description="Open one from My Tools, and its sessions appear here."
        />
      )}
    </Panel>
  );
};
