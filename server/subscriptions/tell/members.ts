import { findPayerFacts, type Payer, practices } from '#server/payers/service.ts';
import { notify } from '#server/notifications/service.ts';
import type { Context } from '#server/platform/context.ts';
import { listed, on } from './words.ts';

type News = { kind: string; title: (team: string) => string; message: (team: string) => string };

/** Tells everybody who may open a team's tools; its owner, who pays, hears of the bill. An adviser has nobody to tell. */
async function tellMembers(inside: Context, payer: Payer, occasion: string, { kind, title, message }: News) {
  if (payer.kind === 'user') return;
  const facts = await findPayerFacts(inside.db, payer);
  if (!facts?.teamName) return;
  for (const userId of await practices.peopleOf(inside.db, payer)) {
    if (userId === facts.contactId) continue;
    const heading = title(facts.teamName);
    await notify(inside, {
      userId,
      type: 'system_alert',
      title: heading,
      message: message(facts.teamName),
      actionUrl: '/dashboard',
      dedupeKey: `${kind}:${occasion}`,
      mail: { kind, subject: heading, always: true, actionLabel: 'Open your dashboard' },
    });
  }
}

const are = (names: readonly string[]) => (names.length === 1 ? 'is' : 'are');

/** A team has begun with tools; `trialEnd` where it tries them. */
export const membersGet = (
  inside: Context,
  payer: Payer,
  occasion: string,
  names: readonly string[],
  trialEnd: Date | null = null,
) =>
  tellMembers(inside, payer, occasion, {
    kind: 'team-tool-began',
    title: (team) => `${listed(names)} ${are(names)} now open to ${team}`,
    message: (team) =>
      trialEnd
        ? `${team} tries ${listed(names)} until ${on(trialEnd)}. You can open it from your dashboard, at no cost to you.`
        : `${team} has subscribed to ${listed(names)}. You can open ${names.length === 1 ? 'it' : 'them'} from your dashboard, at no cost to you.`,
  });

/** A team's tools end on a day, or have ended. */
export const membersLose = (
  inside: Context,
  payer: Payer,
  occasion: string,
  names: readonly string[],
  at: Date | null,
) =>
  tellMembers(inside, payer, occasion, {
    kind: 'team-tool-ends',
    title: (team) =>
      at
        ? `${listed(names)} ${names.length === 1 ? 'ends' : 'end'} at ${team} on ${on(at)}`
        : `${listed(names)} ${names.length === 1 ? 'has' : 'have'} ended at ${team}`,
    message: (team) =>
      `${at ? `You can open ${listed(names)} through ${team} until ${on(at)}.` : `You can no longer open ${listed(names)} through ${team}.`} Your own subscriptions continue as before.`,
  });

/** A team's tool that was to end goes on. */
export const membersKeep = (inside: Context, payer: Payer, occasion: string, name: string) =>
  tellMembers(inside, payer, occasion, {
    kind: 'team-tool-continues',
    title: (team) => `${name} continues at ${team}`,
    message: () => `${name} no longer ends. You can open it as before.`,
  });
