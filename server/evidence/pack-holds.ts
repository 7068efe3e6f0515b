import { keyOfReference } from '#shared/rules/record/client-reference.ts';
import type { PackHold } from './pack-content.ts';
import type { NameIn } from './pack-words.ts';

const isOn = ({ clientReference }: PackHold, reference: string | null): boolean =>
  reference !== null && keyOfReference(clientReference) === keyOfReference(reference);

export function holdsOn(holds: readonly PackHold[], references: Iterable<string>): PackHold[] {
  const keys = new Set([...references].map(keyOfReference));
  return holds.filter(({ clientReference }) => keys.has(keyOfReference(clientReference)));
}

/** "F-10225", "by Grace Taylor (6dbd103e)", "still held" */
export const holdFacts = (
  { clientReference, heldById, releasedAt }: PackHold,
  { at, nameIn }: { at: (time: Date) => string; nameIn: NameIn },
): [string, ...string[]] => [
  clientReference,
  `held by ${nameIn(heldById)}`,
  releasedAt === null ? 'still held' : `released ${at(releasedAt)}`,
];

/** "F-10225, held 27 Nov 2026, 6:07 am AEDT, by Grace Taylor (6dbd103e), still held: A complaint is open." */
export function holdText(
  { clientReference, reason, heldById, heldAt, releasedAt }: PackHold,
  { at, nameIn }: { at: (time: Date) => string; nameIn: NameIn },
): string {
  const released = releasedAt === null ? 'still held' : `released ${at(releasedAt)}`;
  return `${clientReference}, held ${at(heldAt)}, by ${nameIn(heldById)}, ${released}: ${reason}`;
}

/** Whether nothing of this client reference may be deleted. */
export const isHeld = (holds: readonly PackHold[], reference: string | null): boolean =>
  holds.some((hold) => hold.releasedAt === null && isOn(hold, reference));
