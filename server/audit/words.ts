import { formatCalendarDay, formatSydneyDate } from '#shared/rules/dates.ts';
import { brandName, formatCents } from '#shared/rules/billing/money.ts';
import { isUuid } from '#server/platform/data/database.ts';
import { deviceInWords } from '#server/platform/http/device-name.ts';
import { type AuditAction, kinds, type Words } from './kinds.ts';

/** Null for a kind that this release no longer writes. */
const wordsOf = (action: string): Words | null => (Object.hasOwn(kinds, action) ? kinds[action as AuditAction] : null);

type Values = Record<string, unknown> | null;
type Names = ReadonlyMap<string, string>;

const calendarDay = /^\d{4}-\d\d-\d\d$/;
/** A tool from elsewhere has no name of ours. */
const unnamed = /^outside-[0-9a-f-]{36}$/;
const isoDate = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const labels: Record<string, string> = {
  monthlyCents: 'Price a month',
  amountCents: 'Amount',
  toolId: 'Tool',
  lastFour: 'Key ending in',
  last4: 'Card ending in',
  brand: 'Card',
  expiresAt: 'Works until',
  freeAccessGranted: 'Free access',
  membershipType: 'Membership',
  maxMembers: 'Places',
  ownerId: 'Owner',
  userId: 'Member',
  accountableId: 'Responsible',
  offeredToId: 'Offered to',
  dispute: 'Dispute at Stripe',
  revoked: 'Older secrets ended',
};
/** Whose ids may have lost their name, since the account was closed. Other ids of our own rows mean nothing to a reader. */
const ofPeople = new Set(['ownerId', 'userId', 'accountableId', 'offeredToId']);
const isInternal = (field: string, names: Names, ...all: Values[]) =>
  ['incident', 'knownDevice', 'allowed'].includes(field) ||
  all.some((values) => unnamed.test(String(values?.[field]))) ||
  (!ofPeople.has(field) &&
    idsIn(...all.map((values) => values && { [field]: values[field] })).some((id) => !names.has(id)));

const words = (name: string) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function valueText(field: string, value: unknown, names: Names): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return field.endsWith('Cents') ? formatCents(value) : value.toLocaleString('en-AU');
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field === 'brand') return brandName(value);
  if (calendarDay.test(value)) return formatCalendarDay(value);
  if (isoDate.test(value)) return formatSydneyDate(new Date(value));
  return (
    names.get(value) ?? (isUuid(value) ? 'a closed account' : /^[a-z]+(_[a-z]+)+$/.test(value) ? words(value) : value)
  );
}

/** The ids in these values, which may have names. */
export const idsIn = (...all: Values[]) =>
  all
    .flatMap((values) => Object.values(values ?? {}))
    .filter((value) => typeof value === 'string' && isUuid(value)) as string[];

/** A row, with the names of the people and things in it. */
type Told = {
  action: string;
  before: Values;
  after: Values;
  ip: string | null;
  device: string | null;
  /** Null if it was not done by somebody signed in. */
  actor: string | null;
  whom: string | null;
  /** Who pays for the subscription that it is about, where that is known. */
  whose?: string | null;
  names: Names;
};

const templateOf = (row: Told) => {
  const known = wordsOf(row.action)?.[1] ?? `{who}: ${words(row.action.replace('.', ' '))}`;
  return typeof known === 'string' ? known : known(row);
};

/** What a row changed beyond its sentence, a line per field: `Price a month: $30.00 → $35.00`. */
export function detailsOf(row: Told): string[] {
  const { before, after, names } = row;
  const sentence = templateOf(row);
  const isSaid = (field: string) =>
    sentence.includes(`{${field}}`) && (!(field in (before ?? {})) || sentence.includes(`{was.${field}}`));
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .filter((field) => !isSaid(field) && !isInternal(field, names, before, after))
    .filter((field) => [before, after].some((values) => values?.[field] != null))
    .map((field) => {
      const texts = [before, after].flatMap((values) =>
        values && field in values ? [valueText(field, values[field], names)] : [],
      );
      return `${labels[field] ?? sentenceCase(words(field))}: ${[...new Set(texts)].join(' → ')}`;
    });
}

export const labelOf = (action: string): string =>
  wordsOf(action)?.[0] ?? sentenceCase(words(action.replace('.', ' ')));

/** `besideName`: who did it stands beside. `inTeam`: its readers know which team it is. */
type Place = { besideName?: boolean; inTeam?: boolean };

function templateAt(row: Told, { besideName = false, inTeam = false }: Place): string {
  const template = templateOf(row);
  const done = besideName && row.actor !== null ? template.replace(/^\{who\}:? /, '') : template;
  return inTeam
    ? done.replaceAll(/ (?:in|of|for) the team \{whom\}/g, '').replaceAll('the team {whom}', 'the team')
    : done;
}

/** The row as a sentence: who did what to whom and, if it matters, from where. */
export function sentenceOf(row: Told, place: Place = {}): string {
  const { action, before, after, ip, device, actor, whom, whose, names } = row;
  // The log has the address among its details.
  const address = place.besideName ? null : ip;
  const from = [device && ` with ${deviceInWords(device)}`, address && ` from ${address}`].filter(Boolean).join('');
  const nobody = action.startsWith('refused.') ? 'somebody who is not signed in' : 'the system';
  const parts: Record<string, string> = {
    who: actor ?? nobody,
    whom: whom ?? 'somebody unknown',
    account: whom === null ? 'an unknown account' : whom === 'you' ? 'your account' : `the account of ${whom}`,
    from,
    whose: `${whose}’s`,
  };
  const text = templateAt(row, place).replace(
    /\{(was\.)?(\w+)\}/g,
    (_all, was: string | undefined, name: string) =>
      parts[name] ?? valueText(name, (was ? before : (after ?? before))?.[name] ?? null, names),
  );
  return `${sentenceCase(text)}.`.replace(/([.!?]”?)\.$/, '$1');
}
