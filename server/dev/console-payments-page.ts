import { formatCents } from '#shared/rules/billing/money.ts';
import { table } from './console-table.ts';
import { html, type Html } from './sample-tool/html.ts';
import type { SandboxObjects } from './payments-sandbox/index.ts';

export type PaymentsData = {
  objects: SandboxObjects;
  /** types of the webhooks that are kept back, and whether new ones are kept back too */
  held: readonly string[];
  holding: boolean;
  /** what the last button did */
  said: string | null;
};

const EVENTS_SHOWN = 20;
const moment = (seconds: number) => new Date(seconds * 1000).toISOString();

/** One button that does one thing to one object; its label says which, for people who can't see the row. */
const act = (action: string, label: string, id: string, name: string): Html =>
  html`<form method="post" action="/dev/payments">
    <input type="hidden" name="action" value="${action}" /><input type="hidden" name="id" value="${id}" />
    <button type="submit" aria-label="${`${label}: ${name}`}">${label}</button>
  </form>`;

const row = (kind: string, id: string, status: string, detail: string, actions: Html[] = []): Html[] => [
  html`${kind}`,
  html`${detail}`,
  html`${status}`,
  html`<span class="actions">${actions}</span>`,
  html`<code>${id}</code>`,
];

function objectRows({ customers, subscriptions, invoices, paymentMethods }: SandboxObjects): Html[][] {
  return [
    ...customers.map((one) =>
      row('customer', one.id, '', `${one.email ?? ''}${one.balance ? ` balance ${formatCents(one.balance)}` : ''}`, [
        act('decline', 'Decline next charge', one.id, one.email ?? one.id),
      ]),
    ),
    ...paymentMethods
      .filter(({ customer }) => customer)
      .map((one) => row('card', one.id, '', `${one.card?.brand ?? ''} ${one.card?.last4 ?? ''}`)),
    ...subscriptions.map((one) => {
      const end = one.items.data[0]?.current_period_end;
      const until = end ? `period ends ${moment(end)}` : '';
      const ends = one.cancel_at === null ? '' : `, cancels ${moment(one.cancel_at)}`;
      return row('subscription', one.id, one.status, `${one.metadata['toolId'] ?? ''} ${until}${ends}`);
    }),
    ...invoices.map((one) => {
      const name = `${one.number ?? one.id}, ${formatCents(one.total)}`;
      const left = one.status === 'paid' ? one.amount_paid - one.post_payment_credit_notes_amount : 0;
      const actions = [act('refund', 'Refund', one.id, name), act('dispute', 'Open dispute', one.id, name)];
      const detail = `${formatCents(one.total)} ${one.billing_reason ?? ''} ${moment(one.created)}`;
      return row('invoice', one.id, one.status ?? '', detail, left > 0 ? actions : []);
    }),
  ];
}

const box = (name: string, label: string) =>
  html`<label><input type="checkbox" name="${name}" value="on" /> ${label}</label> `;

function webhookForms({ held, holding }: PaymentsData): Html {
  const state = holding ? `New webhooks are kept back; ${held.length} wait.` : 'Webhooks go out as they come.';
  const hold = html`<form method="post" action="/dev/payments">
    <input type="hidden" name="action" value="hold" /><button type="submit">Keep webhooks back</button>
  </form>`;
  const release = html`<form method="post" action="/dev/payments">
    <input type="hidden" name="action" value="release" />
    <fieldset>
      <legend>Let ${held.length} webhooks go</legend>
      ${box('shuffle', 'in any order')} ${box('duplicate', 'half of them twice')} ${box('drop', 'lose a quarter')}
      <button type="submit">Send them</button>
    </fieldset>
  </form>`;
  return html`<p>${state}</p>
    ${holding || held.length > 0 ? release : hold}`;
}

/** The sandbox's part of /dev: its objects, what can be done to them, and its webhooks. */
export function paymentsSection(data: PaymentsData | null): Html {
  if (!data) return html`<p>Real Stripe keys are in use.</p>`;
  const events = data.objects.events.slice(0, EVENTS_SHOWN);
  return html`<p role="status">${data.said ?? ''}</p>
    ${table(['Object', 'Details', 'Status', 'Actions', 'Id'], objectRows(data.objects), 'Nothing yet.')}
    <h3>Webhooks</h3>
    ${webhookForms(data)}
    ${table(
      ['Type', 'When', 'Actions', 'Id'],
      events.map((event) => [
        html`${event.type}`,
        html`${moment(event.created)}`,
        act('resend', 'Send again', event.id, `${event.type} ${event.id}`),
        html`<code>${event.id}</code>`,
      ]),
      'No webhook yet.',
    )}`;
}
