import { businessZone } from '#shared/rules/dates.ts';
import { keyOfReference } from '#shared/rules/record/client-reference.ts';
import type { PackDecision, PackReview, PackStatement } from '#server/record/service.ts';
import type { PackContent, PackHold, WrittenSession } from './pack-content.ts';
import { localTime, type NameIn, otherVersion } from './pack-words.ts';

type Marked = Pick<PackContent, 'about' | 'reviews' | 'decisions' | 'disclosures' | 'holds' | 'people'>;

const count = (one: { length: number }) => (one.length === 0 ? 'none' : one.length.toLocaleString('en-AU'));

/** What a reader has to look at, each with how many there are; "none" where there are none. */
export function marksIn(content: Marked, written: readonly WrittenSession[]): [label: string, count: string][] {
  const { about, reviews, decisions, disclosures, holds, people } = content;
  const inside = written.filter(({ session }) => !session.outside);
  const statements = written.flatMap((one) => one.statements);
  const signOffs = written.flatMap((one) => one.signOffs);
  const differs = inside.filter(({ session, answers }) => {
    const said = disclosures.find(({ toolId, version }) => toolId === session.toolId && version === answers);
    return otherVersion(session.toolVersion, said) !== null;
  });
  const redacted = [...statements, ...signOffs, ...reviews].filter(({ redactedAt }) => redactedAt !== null);
  const marks: [string, { length: number }][] = [
    ['Sessions outside Adviserly, recorded by hand', written.filter(({ session }) => session.outside)],
    ['Sessions whose tool did not report its version', inside.filter(({ session }) => session.toolVersion === null)],
    ['Sessions in another version than the supplier due diligence', differs],
    ['Sessions without supplier due diligence at the time', inside.filter(({ answers }) => answers === null)],
  ];
  if (about.practice !== null)
    marks.push(
      [
        'Sessions before the practice’s last decision about the tool, or without one',
        written.filter((one) => isUndecided(one, decisions)),
      ],
      [
        'Sessions signed off before the adviser reviewed them',
        written.filter((one) => one.signOffs.some((off) => !wasReviewed(off.madeAt, one.statements))),
      ],
      ['Late reviews', statements.filter(({ late }) => late)],
      ['Reviews made after leaving the practice', statements.filter(({ byFormer }) => byFormer)],
      ['Former members in “Who is who”', people.filter(({ until }) => until !== null)],
      ['Legal holds on client references of this pack', holds],
    );
  marks.push(['Redacted lines', redacted]);
  return marks.map(([label, found]) => [label, count(found)]);
}

const isUndecided = ({ session }: WrittenSession, decisions: readonly PackDecision[]) => {
  const decision = decisions.find(({ toolId, allowed }) => toolId === session.toolId && allowed !== null);
  return !decision || session.createdAt < (decision.allowedAt ?? decision.decidedAt);
};

/** Whether the adviser had said by then whether they checked the output. */
export const wasReviewed = (at: Date, statements: readonly PackStatement[]): boolean =>
  statements.some(({ checked, madeAt }) => checked !== null && madeAt <= at);

/** In which other versions a tool ran from a review of it to the next one; empty where it ran in none. */
export function versionsText(
  { toolId, madeAt, disclosureVersion }: PackReview,
  { reviews, disclosures }: Pick<PackContent, 'reviews' | 'disclosures'>,
  written: readonly WrittenSession[],
): string {
  const about = disclosures.find((one) => one.toolId === toolId && one.version === disclosureVersion)?.answers.version;
  const next = reviews.find((one) => one.toolId === toolId && one.madeAt > madeAt)?.madeAt;
  const ran = written.flatMap(({ session }) =>
    session.toolId === toolId && session.createdAt >= madeAt && (next === undefined || session.createdAt < next)
      ? (session.toolVersion ?? [])
      : [],
  );
  const others = [...new Set(ran)].filter((version) => version !== about).toSorted();
  return others.length === 0
    ? ''
    : `Sessions after this review ran in version ${others.join(', ')}, which it is not about.`;
}

/** The holds on the client references of these sessions. */
export function holdsOn(holds: readonly PackHold[], references: Iterable<string>): PackHold[] {
  const keys = new Set([...references].map(keyOfReference));
  return holds.filter(({ clientReference }) => keys.has(keyOfReference(clientReference)));
}

/** "F-10225, since 2026-11-27 09:14 AEDT, by Grace Taylor (6dbd103e): A complaint is open." */
export function holdText({ clientReference, reason, heldById, heldAt, releasedAt }: PackHold, nameIn: NameIn): string {
  const released = releasedAt === null ? 'still held' : `released ${localTime(releasedAt, businessZone)}`;
  return `${clientReference}, held ${localTime(heldAt, businessZone)} by ${nameIn(heldById)}, ${released}: ${reason}`;
}
