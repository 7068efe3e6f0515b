import { createHash } from 'node:crypto';
import type { Launch } from './adviserly.ts';
import { html, type Html } from './html.ts';

/**
 * What the pages say of the tool; `minutesSaved` is what the form suggests, `purpose` goes into the record of AI use, `output` is
 * what a finished session hands over.
 */
export type Tool = {
  id: string;
  name: string;
  description: string;
  minutesSaved: number;
  purpose?: string;
  output?: Html;
};

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; box-sizing: border-box;
  background: light-dark(#f4f6f8, #10151b); color: light-dark(#16202b, #e8edf2); }
main { width: 100%; max-width: 30rem; box-sizing: border-box; padding: 32px; border-radius: 16px;
  background: light-dark(#fff, #19212a); border: 1px solid light-dark(#dde3e9, #2c3742); box-shadow: 0 8px 32px rgb(0 0 0 / 8%); }
.tool { margin: 0; font-weight: 600; color: light-dark(#0b5f59, #74d8cf); }
h1 { margin: 4px 0 16px; font-size: 1.75rem; line-height: 1.2; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 8px 24px; margin: 0 0 24px; }
dt { color: light-dark(#52606d, #a3b1be); } dd { margin: 0; overflow-wrap: anywhere; }
form { display: grid; gap: 16px; padding-top: 24px; border-top: 1px solid light-dark(#dde3e9, #2c3742); }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; }
label { display: grid; gap: 6px; font-size: .9rem; font-weight: 500; }
input { font: inherit; padding: 10px 12px; border-radius: 8px; width: 100%; box-sizing: border-box;
  border: 1px solid light-dark(#8593a1, #66747f); background: light-dark(#fff, #10151b); color: inherit; }
button { font: inherit; font-weight: 600; min-height: 44px; border: 0; border-radius: 8px; cursor: pointer;
  background: light-dark(#0b6a63, #74d8cf); color: light-dark(#fff, #06201e); }
:focus-visible { outline: 3px solid light-dark(#0b6a63, #74d8cf); outline-offset: 2px; }
[role] { margin: 0 0 16px; padding: 12px 16px; border-radius: 8px; }
[role='status'] { background: light-dark(#e2f5ec, #12352a); } [role='alert'] { background: light-dark(#fdeaea, #401d1f); }
article { padding: 24px; margin: 0 0 16px; border-radius: 8px; background: light-dark(#fff, #10151b); border: 1px solid light-dark(#dde3e9, #2c3742); }
article h2 { margin: 0 0 16px; font-size: 1.15rem; } article h3 { margin: 0 0 8px; font-size: 1rem; }
article ul { margin: 0; padding-left: 20px; } article dd { font-weight: 600; }
li { margin: 8px 0; } a { color: inherit; } .note { margin: 24px 0 0; font-size: .85rem; color: light-dark(#52606d, #a3b1be); }
`;

const styleTag: Html = { markup: `<style>${style}</style>` };

/** Inline style is allowed by its hash, scripts not at all. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const pageHeaders = new Map([
  ['content-security-policy', contentSecurityPolicy],
  ['content-type', 'text/html; charset=utf-8'],
  ['cache-control', 'no-store'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
]);

export const page = (title: string, content: Html): string =>
  '<!doctype html>' +
  html`<html lang="en-AU">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title}</title>
      <link rel="icon" href="data:," />
      ${styleTag}
    </head>
    <body>
      <main>${content}</main>
    </body>
  </html>`.markup;

const fact = (name: string, value: string | null | undefined): Html =>
  value
    ? html`<dt>${name}</dt>
        <dd>${value}</dd>`
    : html``;

const statuses: Record<string, string> = {
  trial: 'Trial',
  active: 'Active',
  grace_period: 'Grace Period',
  cancelled: 'Cancelling',
};

export type Work = { minutes: number; actions: number };
const counted = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`;

/** The tool itself, for the adviser who opened it; `done` once the session is reported. */
export function toolPage(tool: Tool, launch: Launch, done: Work | null, fault: string | null): string {
  const { name, given_name, email, dealer_group, team, status, client_reference, purpose } = launch;
  return page(
    `${tool.name} · Adviserly sample tool`,
    html`
      <p class="tool">${tool.name}</p>
      <h1>Welcome${given_name ? `, ${given_name}` : ''}</h1>
      ${fault === null ? html`` : html`<p role="alert">${fault}</p>`}
      <dl>
        ${fact('Signed in as', [name, email].filter(Boolean).join(', '))} ${fact('Dealer group', dealer_group)}
        ${fact('Team', team)} ${fact('Subscription', statuses[status] ?? status)}
        ${fact('Client’s file', client_reference)} ${fact('Purpose', purpose?.replaceAll('_', ' '))}
      </dl>
      ${
        done === null
          ? form(tool, client_reference ?? '')
          : html`<p role="status">
                <strong>Session reported</strong><br />
                ${counted(done.minutes, 'minute')} of work, ${counted(done.actions, 'action')}. You can close this
                window.
              </p>
              ${tool.output ?? html``}`
      }
      <p class="note">This sample tool stands in for ${tool.name} in development. ${tool.description}</p>
    `,
  );
}

/** The file that the tool was opened for is filled in; the adviser may correct it. */
const form = (tool: Tool, reference: string): Html =>
  html`<form method="post" action="/${tool.id}">
    <div class="fields">
      <label>
        Minutes worked
        <input
          name="minutes"
          type="number"
          inputmode="numeric"
          min="0"
          max="1440"
          value="${tool.minutesSaved}"
          required
        />
      </label>
      <label>
        Actions
        <input name="actions" type="number" inputmode="numeric" min="0" max="1000000" value="12" required />
      </label>
    </div>
    <label>
      Client file number (optional)
      <input name="reference" maxlength="40" autocomplete="off" placeholder="F-10234" value="${reference}" />
    </label>
    <button>Finish session</button>
  </form>`;

export const messagePage = (title: string, sentence: string): string =>
  page(
    `${title} · Adviserly sample tool`,
    html`<h1>${title}</h1>
      <p>${sentence}</p>`,
  );
