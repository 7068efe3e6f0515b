import { type ReactNode, StrictMode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerenderToNodeStream } from 'react-dom/static';
import { Router } from 'wouter';
import { accountsApi, type User } from '#shared/api/accounts.ts';
import type { PageData } from '#shared/api/page-data.ts';
import { toolsApi } from '#shared/api/tools.ts';
import { App } from '#client/app/app.tsx';
import { Frame } from '#client/app/frame.tsx';
import { BackToDashboard, columns, ToolHeading } from '#client/features/subscriptions/subscribe/tool-heading.tsx';
import { setSeller } from '#client/lib/session/claims.ts';
import { fillOffer } from '#client/lib/money/visitors-catalogue.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { createQueryClient } from '#client/lib/calls/query-client.ts';
import { narrow, PageHeader } from '#client/ui/elements.tsx';
import { homeIntro, profileIntro } from '#client/lib/pages/page-intros.ts';

type At = { path: string; search: string; data: PageData };

/** A visitor's page as HTML. The server puts it into the document; main.tsx hydrates it. */
export async function render({ path, search, data }: At): Promise<string> {
  setSeller(data);
  const queryClient = createQueryClient();
  fillOffer(queryClient, data);
  const faults: unknown[] = [];
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <Router ssrPath={path} ssrSearch={search}>
        <App queryClient={queryClient} />
      </Router>
    </StrictMode>,
    // In one piece: React moves later pieces into place with inline scripts, which our CSP forbids.
    { progressiveChunkSize: Infinity, onError: (fault) => void faults.push(fault) },
  );
  let html = '';
  for await (const part of prelude.setEncoding('utf8')) html += String(part);
  queryClient.clear();
  if (faults.length > 0) throw new AggregateError(faults, `rendering ${path} failed`);
  return html;
}

/** The tool that a subscribe page sells, out of the list that came with the page. */
function soldAt(path: string, tools: unknown) {
  const toolId = /^\/subscribe\/([\w-]+)$/.exec(path)?.[1];
  const { data: offered = [] } = toolsApi.list.response.safeParse(toolId ? tools : []);
  return offered.find(({ id, isActive }) => id === toolId && isActive);
}

/** The part of a page that can be read before its code arrives: its heading and largest text, exactly where the page will show them. */
function introAt(path: string, user: User, tools: unknown): ReactNode {
  if (path === paths.home || path === paths.dashboard) return <PageHeader {...homeIntro(user)} />;
  if (path === paths.profile)
    return (
      <div className={narrow}>
        <PageHeader {...profileIntro} />
      </div>
    );
  const tool = soldAt(path, tools);
  return (
    tool && (
      <>
        <BackToDashboard />
        <div className={columns}>
          <div data-tool={tool.icon}>
            <ToolHeading tool={tool} />
          </div>
        </div>
      </>
    )
  );
}

/** What a signed-in person's page shows until the browser draws it. `answers`: those to the page's calls, by address. */
export function renderFrame(path: string, answers: Record<string, unknown>): string {
  const { data: user } = accountsApi.user.response.safeParse(answers['/api/user']);
  const intro = user?.profileCompleted ? introAt(path, user, answers['/api/tools']) : null;
  return renderToStaticMarkup(
    <Router ssrPath="/">
      <Frame inDocument intro={intro} />
    </Router>,
  );
}
