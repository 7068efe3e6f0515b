import type { ShownBill } from '#shared/api/billing.ts';

type Person = { userId: string; name: string };
/** What one tool costs for one person: the coming month, and days of the running one. */
export type Share = { toolId: string; toolName: string; monthCents: number; daysCents: number };
/** `userId` is null for somebody who has left, whose days are on the bill. */
export type PersonsBill = { userId: string | null; name: string; cents: number; tools: Share[] };
/** All amounts of people and of the practice as a whole add up to the total. */
export type BillByPerson = { people: PersonsBill[]; practice: { label: string; cents: number }[]; totalCents: number };

/** Cents in so many parts that differ by at most one; the first ones are larger. */
export function split(cents: number, parts: number): number[] {
  const each = Math.trunc(cents / parts);
  const left = cents - each * parts;
  return Array.from({ length: parts }, (_, index) => each + (index < Math.abs(left) ? Math.sign(left) : 0));
}

type Bill = Pick<ShownBill, 'lines' | 'parts' | 'creditCents' | 'carriedCents' | 'totalCents'>;

/** A team's bill by person and tool: a month is shared by those who use the tool, days that are for somebody are theirs. */
export function billByPerson(
  bill: Bill,
  members: readonly Person[],
  uses: (toolId: string, userId: string) => boolean = () => true,
): BillByPerson {
  const { lines, parts, creditCents, carriedCents, totalCents } = bill;
  const people: PersonsBill[] = members.map((member) => ({ ...member, cents: 0, tools: [] }));
  const practice: BillByPerson['practice'] = [];
  const add = (
    person: PersonsBill,
    tool: { toolId: string; toolName: string },
    key: 'monthCents' | 'daysCents',
    cents: number,
  ) => {
    let share = person.tools.find(({ toolId }) => toolId === tool.toolId);
    if (!share)
      person.tools.push((share = { toolId: tool.toolId, toolName: tool.toolName, monthCents: 0, daysCents: 0 }));
    share[key] += cents;
    person.cents += cents;
  };
  const everybody = people.slice();
  const addToAll = (tool: { toolId: string; toolName: string; cents: number }, key: 'monthCents' | 'daysCents') => {
    const seated = everybody.filter(({ userId }) => uses(tool.toolId, userId!));
    if (seated.length === 0) return void practice.push({ label: tool.toolName, cents: tool.cents });
    for (const [index, cents] of split(tool.cents, seated.length).entries()) add(seated[index]!, tool, key, cents);
  };
  /** A part knows a name only: where two bear it, or who bore it has left, it has a row of its own. */
  const namedOnly = (name: string): PersonsBill => {
    const known = people.filter((one) => one.name === name);
    const [found] = known;
    if (found && known.length === 1) return found;
    const own = known.find(({ userId }) => userId === null);
    if (own) return own;
    const added: PersonsBill = { userId: null, name, cents: 0, tools: [] };
    people.push(added);
    return added;
  };
  for (const line of lines) addToAll(line, 'monthCents');
  for (const part of parts) {
    if (part.cause === 'correction' || part.cause === 'below_minimum')
      practice.push({
        label: `${part.toolName}, ${part.cause === 'correction' ? 'correction' : 'from the last bill'}`,
        cents: part.cents,
      });
    else if (part.person === null) addToAll(part, 'daysCents');
    else add(namedOnly(part.person), part, 'daysCents', part.cents);
  }
  if (creditCents !== 0) practice.push({ label: creditCents > 0 ? 'Credit' : 'Owed from before', cents: -creditCents });
  if (carriedCents !== 0)
    practice.push({ label: 'Too little to charge, it goes on the next bill', cents: -carriedCents });
  return { people, practice, totalCents };
}
