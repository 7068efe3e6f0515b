import type { Tool } from '#shared/api/tools.ts';
import { centsOf, formatCentsShort } from '#shared/rules/billing/money.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { Badge, BackLink } from '#client/ui/elements.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

/** The page's two columns; on a narrow screen they are one. */
export const columns = 'flex flex-col gap-6 lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start lg:gap-12';

export const BackToDashboard = () => <BackLink href={paths.dashboard}>Back to Dashboard</BackLink>;

export const ToolHeading = ({ tool }: { tool: Tool }) => {
  const base = centsOf(tool.basePrice);
  return (
    <header className="flex items-start gap-4">
      <ToolIcon icon={tool.icon} className="size-12!" />
      <div className="min-w-0">
        <h1 className="text-xl">{tool.name}</h1>
        <p className="mt-1 text-base text-muted">{tool.description}</p>
        <p className="figures mt-2 text-muted">
          {tool.comingSoon ? (
            <Badge>Coming Soon</Badge>
          ) : base === 0 ? (
            'Free with any other subscription'
          ) : (
            <>
              <span className="font-semibold text-text">{formatCentsShort(base)}</span> per month, GST included
            </>
          )}
        </p>
      </div>
    </header>
  );
};
