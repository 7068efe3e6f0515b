import { brand } from '#shared/brand.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { paymentsSection, type PaymentsData } from './console-payments-page.ts';
import { table } from './console-table.ts';
import { html, type Html } from './sample-tool/html.ts';

export type ConsoleData = {
  now: Date;
  accounts: readonly { email: string; password: string; role: string; note: string }[];
  mails: readonly { id: string; to: string; subject: string; at: Date }[];
  payments: PaymentsData | null;
  tools: readonly { id: string; domain: string; secret: string }[];
};

const moves = [
  ['1d', 'Advance 1 day'],
  ['6h', 'Advance 6 hours'],
  ['7d', 'Advance 7 days'],
  ['30d', 'Advance 30 days'],
  ['365d', 'Advance a year'],
  ['next-renewal', 'To next renewal'],
  ['trial-end', 'To trial end'],
] as const;

const style = `
  :root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
  body { max-width: 1200px; margin: 0 auto; padding: 16px; }
  h2 { margin-top: 32px; font-size: 18px; }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid light-dark(#d4d8dd, #3a4047); vertical-align: top; }
  code { font-size: 13px; }
  button { font: inherit; padding: 6px 12px; margin: 0 8px 8px 0; cursor: pointer; }
  form { display: inline-block; }
  td button { padding: 2px 8px; margin: 0 6px 0 0; }
  .actions { white-space: nowrap; }
  fieldset { margin: 0 0 16px; }
  label { margin-right: 16px; }
  a { color: light-dark(#0f5f5c, #6fd6cf); }
`;

const page = (title: string, body: Html): string =>
  html`<!doctype html>
    <html lang="en-AU">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · ${brand.name}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <style>
          ${{ markup: style }}
        </style>
      </head>
      <body>
        <main>${body}</main>
        <script src="/dev/console.js"></script>
      </body>
    </html>`.markup;

const mailTable = (mails: ConsoleData['mails']): Html =>
  table(
    ['When', 'To', 'Subject'],
    mails.map((m) => [
      html`${m.at.toISOString()}`,
      html`${m.to}`,
      html`<a href="/dev/mailbox/${m.id}">${m.subject}</a>`,
    ]),
    'No mail has been sent yet.',
  );

/** The page of /dev/mailbox: every mail, or those to one address. */
export function mailboxPage(to: string | null, mails: ConsoleData['mails']): string {
  return page(
    'Mailbox',
    html`<p><a href="/dev">Back to the console</a></p>
      <h1>${to === null ? 'Mailbox' : `Mailbox of ${to}`}</h1>
      ${mailTable(mails)}`,
  );
}

/** The page of /dev: clock, demo accounts, mailbox, tools, payments sandbox. */
export function consolePage(data: ConsoleData): string {
  return page(
    'Development console',
    html`<h1>Development console</h1>
      <p><a href="/">Open ${brand.name}</a>. This page exists in development only.</p>
      <h2>Clock</h2>
      <p>
        Business time is <strong id="now">${data.now.toISOString()}</strong> (${formatSydneyDate(data.now)} in Sydney).
      </p>
      <p>
        ${moves.map(([advance, label]) => html`<button type="button" data-advance="${advance}">${label}</button>`)}
        <span role="status" id="clock-status"></span>
      </p>
      <form method="post" action="/dev/forget-proofs">
        <button>Forget proofs</button> so that the next dangerous call asks again who is there.
      </form>
      <h2>Demo accounts</h2>
      ${table(
        ['', 'Email', 'Password', 'Role', 'What it shows'],
        data.accounts.map((a) => [
          html`<button
            type="button"
            data-email="${a.email}"
            data-password="${a.password}"
            aria-label="Sign in as ${a.email}"
          >
            Sign in
          </button>`,
          html`<code>${a.email}</code>`,
          html`<code>${a.password}</code>`,
          html`${a.role}`,
          html`${a.note}`,
        ]),
        'Demo data is off (DEMO_DATA=off).',
      )}
      <h2 id="mailbox"><a href="/dev/mailbox">Mailbox</a></h2>
      ${mailTable(data.mails)}
      <h2>Tools</h2>
      ${table(
        ['Tool', 'Domain', 'Development secret'],
        data.tools.map((t) => [html`${t.id}`, html`${t.domain}`, html`<code>${t.secret}</code>`]),
        'No tools.',
      )}
      <h2 id="payments">Payments sandbox</h2>
      ${paymentsSection(data.payments)}`,
  );
}

type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  at: Date;
  files: readonly { id: string; name: string }[];
};

/** One mail as its reader sees it: the HTML in a frame that can run nothing, its files, and the text below. */
export function mailPage(mail: Mail): string {
  return page(
    mail.subject,
    html`<p><a href="/dev/mailbox">Back to the mailbox</a></p>
      <h1>${mail.subject}</h1>
      <p>To ${mail.to}, ${mail.at.toISOString()}</p>
      <iframe
        title="The mail"
        sandbox="allow-top-navigation-by-user-activation allow-popups"
        style="width:100%;height:560px;border:1px solid #999"
        srcdoc="${mail.html}"
      ></iframe>
      ${mail.files.map(({ id, name }) => html`<p><a href="/dev/mail-files/${id}">${name}</a></p>`)}
      <h2>As text</h2>
      <pre style="white-space:pre-wrap">${mail.text}</pre>`,
  );
}

/** Script of the console's buttons, served as a file so that the pages' policy needs no exception. */
export const consoleScript = `
const post = (path, data) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(data) });
for (const button of document.querySelectorAll('[data-email]')) {
  button.addEventListener('click', async () => {
    const answer = await post('/api/login', { email: button.dataset.email, password: button.dataset.password });
    if (answer.ok) location.assign('/'); else button.textContent = (await answer.json()).message;
  });
}
for (const button of document.querySelectorAll('[data-advance]')) {
  button.addEventListener('click', async () => {
    const status = document.getElementById('clock-status');
    status.textContent = 'Moving…';
    const answer = await post('/dev/clock', { advance: button.dataset.advance });
    const body = await answer.json();
    if (answer.ok) location.reload(); else status.textContent = body.message;
  });
}`;
