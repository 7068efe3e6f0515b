import { StrictMode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerenderToNodeStream } from 'react-dom/static';
import { Router } from 'wouter';
import { accountsApi } from '#shared/api/accounts.ts';
import type { PageData } from '#shared/api/page-data.ts';
import { App } from '#client/app/app.tsx';
import { Frame } from '#client/app/frame.tsx';
import { introAt } from '#client/app/page-intros.ts';
import { setClaimsMade } from '#client/lib/claims.ts';
import { offerQuery } from '#client/lib/offer.ts';
import { createQueryClient } from '#client/lib/query-client.ts';

type At = { path: string; search: string; data: PageData };

/** A visitor's page as HTML. The server puts it into the document; main.tsx hydrates it. */
export async function render({ path, search, data }: At): Promise<string> {
  setClaimsMade(data.claims);
  const queryClient = createQueryClient();
  queryClient.setQueryData(offerQuery.queryKey, data);
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

/** What stands in the page of somebody signed in until the browser draws it. `answer` is what `GET /api/user` answers, `at` an ISO date. */
export function renderFrame(path: string, answer: unknown, at: string): string {
  const { data: user } = accountsApi.user.response.safeParse(answer);
  return renderToStaticMarkup(
    <Router ssrPath="/">
      <Frame inDocument intro={user?.profileCompleted ? introAt(path, user, new Date(at)) : null} />
    </Router>,
  );
}
