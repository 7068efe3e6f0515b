import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { OwnTool } from '#shared/api/developers.ts';
import { contract } from '#shared/api/index.ts';
import { type ShownSecret, ShownSecrets } from '#client/features/developers/shown-secrets.tsx';
import { ToolForm } from '#client/features/developers/tool-form.tsx';
import { ToolView } from '#client/features/developers/tool-view.tsx';
import { states } from '#client/features/developers/tool-words.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { makerSteps } from '#client/lib/words/maker-steps.ts';
import { useUser } from '#client/lib/session/session.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Alert, AppLink, Badge, PageHeader, Panel, TextLink } from '#client/ui/elements.tsx';
import { Steps } from '#client/ui/steps.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const ToolRow = ({ tool }: { tool: OwnTool }) => (
  <li>
    <AppLink
      href={paths.developers(tool.id)}
      className="flex items-center gap-3 rounded-sm py-3 hover:bg-surface-subtle"
    >
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {tool.name}
          <Badge tone={states[tool.state].tone}>{states[tool.state].label}</Badge>
        </span>
        <span className="block font-mono text-xs text-muted">{tool.id}</span>
      </span>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
    </AppLink>
  </li>
);

const Overview = ({ onMade }: { onMade: (toolId: string, settings: ShownSecret[]) => void }) => {
  const { user } = useUser();
  const tools = useApiQuery(contract.developers.list);
  const none = tools.data?.length === 0;
  const header = (
    <PageHeader
      title="For makers"
      description="Register your tool, try it out with test advisers, and have it published."
    />
  );
  // Where the form stands depends on them.
  if (tools.isPending)
    return (
      <>
        {header}
        <Loading label="Loading your tools" className="grid gap-6 lg:grid-cols-2" skeletons={['h-72', 'h-72']} />
      </>
    );
  return (
    <>
      {header}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <Panel title="My tools" className={none ? 'order-1' : undefined}>
          <QueryView
            query={tools}
            failedTitle="Your tools could not be loaded"
            loading={null}
            empty={
              <>
                <p className="font-medium">No tools yet</p>
                <p className="mt-1 mb-5 text-muted">Four steps lead from here to the catalogue.</p>
                <Steps steps={makerSteps} />
              </>
            }
          >
            {(tools) => (
              <ul aria-label="My tools" className="divide-y">
                {tools.map((tool) => (
                  <ToolRow key={tool.id} tool={tool} />
                ))}
              </ul>
            )}
          </QueryView>
        </Panel>
        <Panel
          title="Register a tool"
          description={
            <>
              The <TextLink href="/api/docs/guide">guide</TextLink> shows how your tool opens, reports and gets events.
              The <TextLink href="/api/docs">reference</TextLink> lists every field.
            </>
          }
        >
          {user?.emailVerified ? (
            <ToolForm
              onMade={({ tool, secret, signingSecret }) =>
                onMade(tool.id, [
                  { label: 'Tool ID', value: tool.id },
                  { label: 'Secret', value: secret },
                  { label: 'Signing secret', value: signingSecret },
                ])
              }
            />
          ) : (
            <Alert tone="warning" title="Please verify your email address first">
              Then you can register a tool here.
            </Alert>
          )}
        </Panel>
      </div>
    </>
  );
};

/** /developers: for the makers of tools. `?tool=` opens one tool. */
export default function DevelopersPage() {
  useTitle('For makers');
  const [search, setSearch] = useSearchParams();
  const [settings, setSettings] = useState<ShownSecret[]>([]);
  const toolId = search.get('tool');
  return (
    <>
      {toolId ? (
        <ToolView key={toolId} toolId={toolId} />
      ) : (
        <Overview
          onMade={(made, shown) => {
            setSettings(shown);
            setSearch({ tool: made });
          }}
        />
      )}
      <ShownSecrets secrets={settings} onClose={() => setSettings([])} />
    </>
  );
}
