import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { count } from 'drizzle-orm';
import { day, plus, sydneyDate } from '#shared/rules/dates.ts';
import { sandboxKeys } from '#server/platform/payments.ts';
import type { Product } from '#server/start.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { liveThrough } from '../move-clock.ts';
import { madeUpAnswers } from './due-diligence.ts';
import { demoPassword, emailOf } from './demo.ts';

/** How many days the practice has lived when somebody first opens the demo. */
const days = 92;

type Parts = Pick<Product, 'context' | 'clock' | 'sandbox' | 'port'>;
type Answer = Record<string, unknown>;
/** A call as the person's own browser would make it. */
type Person = (path: string, body?: object, method?: 'PUT') => Promise<Answer>;

async function signedIn({ context, port }: Parts, name: string): Promise<Person> {
  const headers = { 'content-type': 'application/json', origin: context.env.appUrl };
  const ask = async (path: string, body?: object, cookie = '', method = 'POST') => {
    const init = body && { method, body: JSON.stringify(body) };
    const send = () => fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers: { ...headers, cookie } });
    let answer = await send();
    // A slow machine may be too busy for a password just now.
    for (let tries = 1; answer.status === 503 && tries < 30; tries += 1) {
      await setTimeout(Number(answer.headers.get('retry-after') ?? 1) * 1000);
      answer = await send();
    }
    if (!answer.ok) throw new Error(`demo: ${name}, ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const login = await ask('/api/login', { email: emailOf(name), password: demoPassword });
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return async (path, body, method) => (await ask(path, body, cookie, method)).json() as Promise<Answer>;
}

type Offered = { dueTodayCents: number; nextBill: { totalCents: number } | null };

/** What the button says where a card is on file. */
async function agreed(person: Person, toolId: string, team: { teamId?: string }): Promise<object> {
  const query = new URLSearchParams({ toolId, ...team });
  const { dueTodayCents, nextBill } = (await person(`/api/pricing/quote?${query}`)) as Offered;
  query.delete('toolId');
  const card = (await person(`/api/billing/payment-method?${query}`)) as { last4: string } | null;
  if (!card) return {};
  return { charge: { cents: dueTodayCents, last4: card.last4, ...(nextBill && { nextCents: nextBill.totalCents }) } };
}

/** The product's own purchase, paid with a test card in the payments sandbox. */
async function buy({ port }: Parts, person: Person, toolId: string, team: { teamId?: string } = {}): Promise<void> {
  const charge = await agreed(person, toolId, team);
  const { clientSecret } = await person('/api/create-subscription', { toolId, ...team, ...charge });
  if (typeof clientSecret === 'string') {
    const id = clientSecret.slice(0, clientSecret.indexOf('_secret_'));
    const form = { key: sandboxKeys.publishable, client_secret: clientSecret, payment_method: 'pm_card_visa' };
    await fetch(`http://127.0.0.1:${port}/sandbox/v1/payment_intents/${id}/confirm`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
  }
  await person(`/api/subscriptions/${toolId}/sync`, team);
}

/** What happens on which day. */
async function story(parts: Parts): Promise<[at: number, what: () => Promise<unknown>][]> {
  const people: Person[] = [];
  for (const name of ['adviser', 'owner', 'partner', 'free', 'admin', 'team-admin', 'member'])
    people.push(await signedIn(parts, name));
  const [olivia, grace, priya, noah, admin, liam, mei] = people;
  const { ownedTeams } = (await grace!('/api/teams/my')) as { ownedTeams: { id: string }[] };
  const practice = { teamId: ownedTeams[0]!.id };
  const stated = madeUpAnswers.map(({ toolId, daysAgo, isReviewed, answers }): [number, () => Promise<unknown>] => [
    days - daysAgo,
    () =>
      writeAsAdmin(admin!, `/api/admin/tools/${toolId}/disclosure`, {
        ...answers,
        reviewedOn: isReviewed ? sydneyDate(plus(parts.clock.now(), -3 * day)) : null,
      }),
  ]);
  const happened: [number, () => Promise<unknown>][] = [
    [0, () => buy(parts, olivia!, 'risk-profile-ai')],
    [3, () => buy(parts, grace!, 'fact-find-ai', practice)],
    [9, () => buy(parts, olivia!, 'fact-find-ai')],
    [16, () => buy(parts, priya!, 'risk-profile-ai')],
    [17, () => buy(parts, grace!, 'file-note-ai', practice)],
    [23, () => buy(parts, olivia!, 'file-note-ai')],
    [30, () => buy(parts, olivia!, 'pre-fill-ai')],
    [33, () => buy(parts, noah!, 'file-note-ai')],
    [40, () => buy(parts, priya!, 'pre-fill-ai')],
    [48, () => allowFileNotes(parts, grace!, practice.teamId)],
    [
      69,
      () =>
        olivia!('/api/cancel-subscription', { toolId: 'pre-fill-ai', cancelImmediately: true, reason: 'not_using' }),
    ],
    [85, () => Promise.all([olivia!, grace!].map((person) => person('/api/notifications/read-all', {})))],
    [86, () => olivia!('/api/create-subscription', { toolId: 'share-advice-ai', trial: true })],
    [87, () => decideAboutTools(parts, grace!, practice.teamId)],
    [88, () => revokeFreeAccess(admin!)],
    [91, () => disputeNewest(parts)],
    [91, () => supervise(parts, { owner: grace!, admin: liam!, member: mei! }, practice.teamId)],
    [91, () => makePacks(parts, grace!, olivia!, practice.teamId)],
  ];
  const told = [...happened, ...stated].toSorted(([one], [other]) => one - other);
  // Their sessions would be dated by the real clock, which the sign-ins below them are not.
  return [...told, [days, () => Promise.all(people.map((person) => person('/api/logout', {})))]];
}

type Members = { userId: string; role: string }[];

/** A later day as the clock has it then. */
const dayAfter = ({ clock }: Parts, days: number) => sydneyDate(plus(clock.now(), days * day));

async function usesOf(owner: Person, teamId: string) {
  const members = (await owner(`/api/teams/${teamId}/members`)) as unknown as Members;
  const accountableId = members.find(({ role }) => role === 'admin')!.userId;
  return { allowed: true, accountableId, dataAllowed: 'What the client has told us, without account numbers' };
}

/** The practice allows it for six weeks, and has not reviewed it since. */
async function allowFileNotes(parts: Parts, owner: Person, teamId: string): Promise<void> {
  const uses = { ...(await usesOf(owner, teamId)), usedFor: 'Notes of meetings', reviewDue: dayAfter(parts, 42) };
  await owner(`/api/teams/${teamId}/record/tools/file-note-ai`, uses, 'PUT');
}

/** What else the practice has decided: another tool that it uses, one from elsewhere, and one that it is holding off on. */
async function decideAboutTools(parts: Parts, owner: Person, teamId: string): Promise<void> {
  const record = `/api/teams/${teamId}/record/tools`;
  const uses = await usesOf(owner, teamId);
  const { accountableId } = uses;
  const remark = 'Ten fact finds compared with the files: two figures corrected.';
  await owner(`${record}/fact-find-ai`, { ...uses, usedFor: 'Fact finds before the first meeting' }, 'PUT');
  await owner(`${record}/fact-find-ai/reviews`, { remark, nextDue: dayAfter(parts, 180) });
  const waits = { allowed: false, accountableId, reason: 'We want to see first where its research comes from.' };
  await owner(`${record}/share-advice-ai`, waits, 'PUT');
  const elsewhere = { name: 'Copilot in Word', usedFor: 'Drafts of letters', dataAllowed: 'No client’s name' };
  await owner(record, { ...elsewhere, accountableId, reviewDue: dayAfter(parts, 90) });
}

type Supervised = Record<'owner' | 'admin' | 'member', Person>;

/** A session with a tool from elsewhere, a sample of which a supervisor signs off what was reviewed, and a client reference that is held. */
async function supervise({ clock }: Parts, { owner, admin, member }: Supervised, teamId: string): Promise<void> {
  const [other] = (await member('/api/record/outside-tools')) as unknown as { toolId: string }[];
  await member('/api/record/sessions', {
    id: randomUUID(),
    toolId: other!.toolId,
    usedAt: plus(clock.now(), -3 * day),
    purpose: 'client_letter',
    clientReference: 'F-10231',
    checked: true,
    checks: ['Figures'],
    remark: '',
  });
  const record = `/api/teams/${teamId}/record`;
  const { id: sampleId } = await admin(`${record}/samples`, { size: 12, to: sydneyDate(plus(clock.now(), -day)) });
  const drawn = await admin(`${record}/sessions?sample=${String(sampleId)}`);
  const sessions = drawn['sessions'] as { id: string; checked: boolean | null }[];
  await admin(`${record}/sign-offs`, {
    ids: sessions.flatMap(({ id, checked }) => (checked === null ? [] : [id])),
    remark: 'Read with the adviser: in order.',
    sampleId,
  });
  await owner(`${record}/holds`, { clientReference: 'F-10231', reason: 'A complaint of this client is open.' });
}

/** Evidence packs of a month: the practice's, and Olivia's of one tool. */
async function makePacks({ clock, context }: Parts, owner: Person, adviser: Person, teamId: string): Promise<void> {
  const on = (days: number) => sydneyDate(plus(clock.now(), days * day));
  const month = { fromDay: on(-32), toDay: on(-2) };
  await owner('/api/record/packs', { ...month, teamId });
  await adviser('/api/record/packs', { ...month, toolId: 'fact-find-ai' });
  // They are told of it on that day.
  await context.queue.drain();
}

/** Noah has a week of grace from here. */
async function revokeFreeAccess(admin: Person): Promise<void> {
  const { users } = (await admin(`/api/admin/users?search=${emailOf('free')}`)) as { users: { id: string }[] };
  await writeAsAdmin(admin, '/api/admin/revoke-free-access', { userId: users[0]!.id });
}

async function writeAsAdmin(admin: Person, path: string, body: object): Promise<void> {
  const { csrfToken } = await admin('/api/admin/csrf-token');
  await admin(path, { ...body, _csrf: csrfToken });
}

/** Somebody doesn't recognise the last charge on their statement, so the administrator has something to decide. */
async function disputeNewest({ sandbox }: Parts): Promise<void> {
  const { invoices } = await sandbox!.list();
  const paid = invoices.find(({ amount_paid: paidCents }) => paidCents > 0);
  if (paid) await sandbox!.controls.openDispute(paid.id);
}

/** Lets time pass day by day, as the console's clock does: everybody is told on the day of what happens. */
async function pass({ context, clock, sandbox }: Parts, leftMs: () => number): Promise<void> {
  for (let left = leftMs(); left > 0; left = leftMs()) await liveThrough(context, clock, sandbox!, left);
}

/**
 * Three months of a practice, lived by the product itself on a clock that is set back for it: purchases, renewals, mails,
 * notices, a cancellation, an offer to come back. Once per database, where nobody has subscribed or moved the clock; if it
 * is interrupted, the next start lives through the rest of the time.
 */
export async function liveThroughDemo(parts: Parts): Promise<void> {
  const { context, clock, sandbox } = parts;
  if (!sandbox) return;
  const [{ n } = { n: 0 }] = await context.db.select({ n: count() }).from(toolSubscriptions);
  // Where two servers start together, only one sets the clock back.
  if (n === 0 && (await clock.setBack(days * day))) {
    const from = clock.now().getTime();
    try {
      for (const [at, what] of await story(parts)) {
        await pass(parts, () => from + at * day - clock.now().getTime());
        await what();
      }
    } catch (error) {
      // Don't leave the clock in the past: set it right at once, whatever is missing.
      await clock.advance(-clock.offsetMs());
      throw error;
    }
  }
  await pass(parts, () => -clock.offsetMs());
}
