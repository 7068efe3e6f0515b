import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { seller } from '#shared/brand.ts';
import { mailFiles, mails } from '#shared/schema/notifications.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { type SmtpServer, startSmtpServer } from '#server/testing/smtp-server.ts';
import { testEnv } from '#server/testing/test-env.ts';
import { realNow } from './clock.ts';
import { createDatabase, type Database, transaction } from './data/database.ts';
import { createLog } from './logs/log.ts';
import { renderMail } from './mail-content.ts';
import { mailSubject } from './mail-subject.ts';
import { createMailer, type Mailer } from './mailer.ts';
import { createQueue, type Queue } from './queue/queue.ts';

const log = createLog(testEnv());
let database: TestDatabase;
let db: Database;
let queue: Queue;
let smtp: SmtpServer | undefined;

beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, log);
  queue = createQueue({ databaseUrl: database.url, log });
});
afterEach(async () => {
  await queue.stop();
  await smtp?.close();
  smtp = undefined;
  await db.$client.end();
  await database.drop();
});

async function mailer(variables: Record<string, string> = {}): Promise<Mailer> {
  const made = createMailer({ db, env: testEnv(variables), queue, log, now: realNow });
  await queue.start();
  return made;
}

const link = 'https://adviserly.example/reset-password?token=tell-nobody';
const letter = {
  to: 'jo@advice.example',
  subject: mailSubject`Reset your password – für Zoë`,
  kind: 'password-reset',
  ...renderMail({
    preheader: 'A link for you',
    heading: 'Reset your password',
    paragraphs: ['Hello Zoë,', 'Here is the link.'],
    action: { label: 'Reset password', url: link },
  }),
};
const outbox = () => db.select().from(mails);

test('a mail stays in the mailbox without SMTP, readable, as it was sent', async () => {
  const { send } = await mailer();
  await send(db, letter);
  const [mail] = await outbox();
  expect(mail).toMatchObject({
    toAddress: letter.to,
    subject: letter.subject,
    kind: 'password-reset',
    lastError: null,
  });
  expect(mail?.textBody).toContain(link);
  expect(mail?.sentAt).toBeInstanceOf(Date);
  expect((await db.$client.query('select 1 from pgboss.job')).rowCount).toBe(0);
});

test('a rolled back transaction sends nothing', async () => {
  smtp = await startSmtpServer();
  const { send } = await mailer({ SMTP_URL: smtp.url });
  const failing = transaction(db, async (tx) => {
    await send(tx, letter);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await queue.drain();
  expect(smtp.received).toEqual([]);
  expect(await outbox()).toEqual([]);
});

test('a mail arrives over SMTP in both forms, and its text and link are kept nowhere', async () => {
  smtp = await startSmtpServer();
  const { send } = await mailer({ SMTP_URL: smtp.url, MAIL_FROM: 'Adviserly <hello@adviserly.example>' });
  await transaction(db, (tx) => send(tx, letter));
  await queue.drain();
  expect(smtp.received).toHaveLength(1);
  const [arrived] = smtp.received;
  expect(arrived).toMatchObject({ from: 'hello@adviserly.example', to: ['jo@advice.example'] });
  const [mail] = await outbox();
  expect(arrived?.data).toContain(`Message-ID: <${mail?.id}@localhost>`);
  expect(arrived?.data).toContain('Auto-Submitted: auto-generated');
  expect(arrived?.data).toMatch(/Content-Type: text\/plain[^]*Content-Type: text\/html/);
  expect(arrived?.data.replace(/=\r\n/g, '')).toContain('token=3Dtell-nobody');
  expect(mail).toMatchObject({ textBody: '', htmlBody: '', attempts: 1, lastError: null });
  expect(mail?.sentAt).toBeInstanceOf(Date);
});

test('a mail brings its files, which are kept nowhere once it is sent', async () => {
  smtp = await startSmtpServer();
  const { send } = await mailer({ SMTP_URL: smtp.url });
  const body = Buffer.from('%PDF-1.7 für Zoë');
  const files = [{ name: 'tax-invoice-7.pdf', contentType: 'application/pdf', body }];
  await send(db, { ...letter, files });
  await queue.drain();
  expect(smtp.received).toHaveLength(1);
  const data = smtp.received[0]!.data;
  expect(data).toMatch(/Content-Type: application\/pdf; name=tax-invoice-7\.pdf/);
  expect(data).toContain('Content-Disposition: attachment; filename=tax-invoice-7.pdf');
  expect(data).toContain(body.toString('base64'));
  expect(await db.select().from(mailFiles)).toEqual([]);
});

test('files wait with their mail while the server is away, and go when the address is refused', async () => {
  let answer = '451 try later';
  smtp = await startSmtpServer(() => answer);
  const { send } = await mailer({ SMTP_URL: smtp.url });
  await send(db, { ...letter, files: [{ name: 'a.csv', contentType: 'text/csv', body: Buffer.from('a,b') }] });
  await queue.drain();
  expect((await db.select().from(mailFiles)).map(({ name }) => name)).toEqual(['a.csv']);
  answer = '550 no such mailbox';
  await db.$client.query(`update pgboss.job set start_after = now() where state = 'created'`);
  await queue.drain();
  expect(await db.select().from(mailFiles)).toEqual([]);
});

test('a server that is away or busy is asked again, and the mail arrives once', async () => {
  let busy = true;
  smtp = await startSmtpServer(() => (busy ? '451 try later' : '250 OK'));
  const { send } = await mailer({ SMTP_URL: smtp.url });
  await send(db, letter);
  await queue.drain();
  expect((await outbox())[0]).toMatchObject({ sentAt: null, attempts: 1, lastError: expect.stringContaining('451') });
  expect((await outbox())[0]?.textBody).toContain(link);
  busy = false;
  for (let run = 0; run < 2; run += 1) {
    await db.$client.query(`update pgboss.job set start_after = now() where state = 'created'`);
    await queue.drain();
  }
  expect(smtp.received).toHaveLength(1);
  expect((await outbox())[0]).toMatchObject({ textBody: '', attempts: 2, lastError: null });
});

test('a mail is kept and tried for three days while the server is away; then it is an incident that can be sent again', async () => {
  let away = true;
  smtp = await startSmtpServer(() => (away ? '451 try later' : '250 OK'));
  const { send } = await mailer({ SMTP_URL: smtp.url });
  await send(db, letter);
  const waits: number[] = [];
  for (let tries = 1; tries < 80; tries += 1) {
    await queue.drain();
    const { rows } = await db.$client.query<{ wait: string }>(
      `with waiting as (select id, round(extract(epoch from start_after - created_on)) as wait from pgboss.job where state = 'created')
       update pgboss.job job set start_after = now() from waiting where waiting.id = job.id returning waiting.wait`,
    );
    waits.push(Number(rows[0]?.wait));
  }
  expect(waits.slice(0, 10)).toEqual([15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(3 * 86_400);
  expect(await queue.failedCounts()).toEqual({});
  for (let retries = 0; retries < 8; retries += 1) {
    await queue.drain();
    await db.$client.query(`update pgboss.job set start_after = now() where state = 'retry'`);
  }
  expect(await queue.failedCounts()).toEqual({ 'deliver-mail': 1 });
  expect((await outbox())[0]?.textBody).toContain(link);
  away = false;
  const [incident] = await queue.failed(1);
  await transaction(db, (tx) => queue.retry(tx, incident!.id));
  await queue.drain();
  expect(smtp.received).toHaveLength(1);
  expect((await outbox())[0]).toMatchObject({ textBody: '', lastError: null });
});

test('each failed try is a warning with what the mail server said', async () => {
  smtp = await startSmtpServer(() => '454 4.7.0 come back later');
  const { send } = await mailer({ SMTP_URL: smtp.url });
  const warned = vi.spyOn(log, 'warn');
  await send(db, letter);
  await queue.drain();
  expect(warned.mock.calls.map(([fields, text]) => [text, fields])).toEqual([
    ['mail waits', expect.objectContaining({ attempts: 1, kind: letter.kind, reason: expect.stringContaining('454') })],
  ]);
  expect(JSON.stringify(warned.mock.calls)).not.toContain(letter.to);
});

test('the start hears from the mail server whether it would take mail', async () => {
  smtp = await startSmtpServer();
  const refusal = (variables = {}) => createMailer({ db, env: testEnv(variables), queue, log, now: realNow }).refusal();
  expect(await refusal({ SMTP_URL: smtp.url })).toBeNull();
  expect(await refusal()).toBeNull();
  expect(await refusal({ SMTP_URL: 'smtp://127.0.0.1:1' })).toMatch(/ECONNREFUSED/);
});

test('an address that does not exist is given up at once, with the reason and without the link', async () => {
  smtp = await startSmtpServer(() => '550 no such mailbox');
  const { send } = await mailer({ SMTP_URL: smtp.url });
  await send(db, letter);
  await queue.drain();
  const [mail] = await outbox();
  expect(mail).toMatchObject({ sentAt: null, textBody: '', htmlBody: '', lastError: expect.stringContaining('550') });
  expect(await queue.failedCounts()).toEqual({ 'mail-refused': 1 });
});

test('an address that was mistyped when somebody registered is no incident', async () => {
  smtp = await startSmtpServer(() => '550 no such mailbox');
  const { send } = await mailer({ SMTP_URL: smtp.url });
  await send(db, { ...letter, kind: 'verification' });
  await queue.drain();
  expect(await queue.failedCounts()).toEqual({});
});

test.each(['a@advice.example, b@evil.example', 'a@advice.example\r\nBcc: b@evil.example'])(
  'an address cannot smuggle in another recipient: %j',
  async (to) => {
    smtp = await startSmtpServer();
    const { send } = await mailer({ SMTP_URL: smtp.url });
    await send(db, { ...letter, to, subject: mailSubject`${'Hello\r\nBcc: b@evil.example'}` });
    await queue.drain();
    expect(smtp.received.flatMap((mail) => mail.to)).not.toContain('b@evil.example');
    expect(smtp.received.map((mail) => mail.data).join()).not.toMatch(/^Bcc:/im);
  },
);

const content = {
  preheader: 'Short',
  heading: 'Welcome, <b>Jo</b> & "Co"',
  paragraphs: ['First <script>alert(1)</script>', 'Line one\nline two'],
  action: { label: 'Open <it>', url: 'https://adviserly.example/x?a=1&b="2' },
  footer: 'You asked for this.',
};

test('the HTML shows whatever is given as text', () => {
  const { html } = renderMail(content);
  expect(html).not.toMatch(/<script|<b>|<it>/);
  expect(html).toContain('Welcome, &lt;b&gt;Jo&lt;/b&gt; &amp; &quot;Co&quot;');
  expect(html).toContain('href="https://adviserly.example/x?a=1&amp;b=&quot;2"');
  expect(html).toContain('Line one<br>line two');
});

test('the text form says what the HTML does, with the address in clear and the seller', () => {
  const { text } = renderMail(content);
  for (const part of [content.heading, ...content.paragraphs, content.action.url, content.footer, seller().name]) {
    expect(text).toContain(part);
  }
});

test('a mail without an action links to nothing but the seller’s address', () => {
  const { html, text } = renderMail({ preheader: 'p', heading: 'h', paragraphs: ['x'] });
  expect(html.match(/<a href="[^"]*"/g)).toEqual([`<a href="mailto:${seller().supportEmail}"`]);
  expect(text).not.toContain('http');
});

test('only web addresses become links', () => {
  const action = { label: 'x', url: 'javascript:alert(1)' };
  expect(() => renderMail({ ...content, action })).toThrow('http(s) only');
});

const bill = {
  rows: [
    { label: 'Fact Find AI', note: '12 members × $50.00, Team discount (15%) −$90.00', amount: '$510.00' },
    { label: 'Hugh Lang, 1 Feb to 9 Mar 2027', note: 'Fact Find AI', amount: '$1,007.40' },
    { label: 'Somebody with a name that is as long as a name may be in a practice, 9 Mar 2027', amount: '−$7.40' },
    { label: '<b>Credit</b>', amount: '−$10.00' },
  ],
  total: { label: 'Total', note: 'GST included: $136.36', amount: '$1,500.00' },
};
const withBill = { ...content, table: bill, after: ['Below the table, −$7.40.'] };

test('a table in the text form has its amounts below each other, and keeps whole what they are for', () => {
  const { text } = renderMail(withBill);
  expect(text).toContain(`
Fact Find AI                                             $510.00
  12 members × $50.00, Team discount (15%) −$90.00
Hugh Lang, 1 Feb to 9 Mar 2027                         $1,007.40
  Fact Find AI
Somebody with a name that is as long as a name may be in
a practice, 9 Mar 2027                                    −$7.40
<b>Credit</b>                                            −$10.00
----------------------------------------------------------------
Total                                                  $1,500.00
  GST included: $136.36

Below the table, −$7.40.
`);
});

test('the HTML form has colours for the dark, and keeps a card, a date and a tool’s name in one piece', () => {
  const { html } = renderMail({
    ...withBill,
    paragraphs: ['Charged to Visa •••• 4242 on 9 Mar 2027.', 'Pre-Fill AI, 1 to 9 Mar 2027'],
  });
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toMatch(/prefers-color-scheme: dark\) \{\n\.page \{ background: #0c0f12 !important/);
  expect(html).toContain('Charged to Visa&nbsp;••••&nbsp;4242 on 9&nbsp;Mar&nbsp;2027.');
  expect(html).toContain('>Pre-Fill</span>&nbsp;AI, 1&nbsp;to&nbsp;9&nbsp;Mar&nbsp;2027<');
});

test('a table in the HTML form has names for its rows, and breaks no amount, nor a minus sign from it', () => {
  const { html } = renderMail(withBill);
  expect(html.match(/<th scope="row"/g)).toHaveLength(5);
  expect(html).toMatch(/<td [^>]*white-space:nowrap[^>]*>−\$7\.40<\/td>/);
  expect(html).toContain('Team discount <span style="white-space:nowrap">(15%) −$90.00</span></td>');
  expect(html).toContain('Below the table, <span style="white-space:nowrap">−$7.40</span>.');
  expect(html).toContain('&lt;b&gt;Credit&lt;/b&gt;');
  expect(html.indexOf('Below the table')).toBeGreaterThan(html.indexOf('</table>', html.indexOf('Total')));
});
