import { day, plus } from '#shared/rules/dates.ts';
import { keyOfReference } from '#shared/rules/record/client-reference.ts';
import type { PackReview, PackStatement } from '#server/record/service.ts';
import type { PackContent, PackHold, WrittenSession } from './pack-content.ts';
import { dayCount, isOverdue, type NameIn, otherVersion } from './pack-words.ts';

type Marked = Pick<PackContent, 'about' | 'reviews' | 'decisions' | 'disclosures' | 'holds' | 'people'>;

type Made = { userId: string; madeAt: Date };

const count = (one: { length: number }) => (one.length === 0 ? 'none' : one.length.toLocaleString('en-AU'));

/** Those that somebody made at one moment with others. */
function inOneGo<One extends Made>(all: readonly One[]): One[] {
  const keyOf = ({ userId, madeAt }: Made) => `${userId} ${madeAt.getTime()}`;
  const made = new Map<string, number>();
  for (const one of all) made.set(keyOf(one), (made.get(keyOf(one)) ?? 0) + 1);
  return all.filter((one) => made.get(keyOf(one))! > 1);
}

/** What a reader has to look at, each with how many there are; "none" where there are none. */
export function marksIn(content: Marked, written: readonly WrittenSession[]): [label: string, count: string][] {
  const { about, reviews, decisions, disclosures, holds, people } = content;
  const madeAt = about.madeAt;
  const inside = written.filter(({ session }) => !session.outside);
  const answersOf = ({ session, answers }: WrittenSession) =>
    disclosures.find(({ toolId, version }) => toolId === session.toolId && version === answers);
  const statements = written.flatMap((one) => one.statements);
  const signOffs = written.flatMap((one) => one.signOffs);
  const warned = inside.filter((one) => otherVersion(one.session.toolVersion, answersOf(one)) !== null);
  const isUnnamed = (one: WrittenSession) => answersOf(one)?.answers.version === null;
  const redacted = [...statements, ...signOffs, ...reviews].filter(({ redactedAt }) => redactedAt !== null);
  const marks: [string, { length: number }][] = [
    ['Sessions outside Adviserly, recorded by hand', written.filter(({ session }) => session.outside)],
    ['Sessions on Adviserly whose tool did not report its version', inside.filter((one) => !one.session.toolVersion)],
    ['Sessions on Adviserly without supplier due diligence', inside.filter(({ answers }) => answers === null)],
    ['Sessions whose version differs from the supplier due diligence', warned.filter((one) => !isUnnamed(one))],
    ['Sessions whose supplier due diligence names no version', warned.filter(isUnnamed)],
  ];
  if (about.practice !== null) {
    const { lateAfterDays } = about;
    const isOld = ({ session }: WrittenSession) => session.createdAt < plus(madeAt, -(lateAfterDays ?? 0) * day);
    const isUnreviewed = ({ session }: WrittenSession) => session.checked === null;
    const decidedAt = ({ session }: WrittenSession) => {
      const decision = decisions.find(({ toolId, allowed }) => toolId === session.toolId && allowed !== null);
      return decision && (decision.allowedAt ?? decision.decidedAt);
    };
    const isSignedUnreviewed = (one: WrittenSession) =>
      one.signOffs.some((off) => !wasReviewed(off.madeAt, one.statements));
    const reviewBefore = ({ session }: WrittenSession) =>
      reviews.findLast((one) => one.toolId === session.toolId && one.madeAt <= session.createdAt);
    const isEverReviewed = ({ session }: WrittenSession) => reviews.some(({ toolId }) => toolId === session.toolId);
    const againstReview = (one: WrittenSession) => {
      const review = reviewBefore(one);
      if (!review) return null;
      const [about, ran] = [versionOf(review, disclosures), one.session.toolVersion];
      return about === null || ran === null ? 'unknown' : about === ran ? 'alike' : 'other';
    };
    const ownReviews = statements.filter(({ checked }) => checked !== null);
    marks.push(
      [
        `Sessions not reviewed, more than ${dayCount(lateAfterDays)} old`,
        written.filter((one) => isUnreviewed(one) && isOld(one)),
      ],
      ['Late reviews', statements.filter(({ late }) => late)],
      ['Reviews made after leaving the practice', statements.filter(({ byFormer }) => byFormer)],
      ['Sessions signed off before the adviser reviewed them', written.filter(isSignedUnreviewed)],
      ['Sessions with a tool that the practice has not decided about', written.filter((one) => !decidedAt(one))],
      [
        'Sessions before the practice last allowed or stopped their tool',
        written.filter((one) => one.session.createdAt < (decidedAt(one) ?? one.session.createdAt)),
      ],
      ['Sessions with a tool that the practice has never reviewed', written.filter((one) => !isEverReviewed(one))],
      [
        'Sessions before the practice’s first review of their tool',
        written.filter((one) => isEverReviewed(one) && !reviewBefore(one)),
      ],
      [
        'Sessions whose version differs from the practice’s review of the tool',
        written.filter((one) => againstReview(one) === 'other'),
      ],
      [
        'Sessions whose version cannot be compared with that review, as one of them names none',
        written.filter((one) => againstReview(one) === 'unknown'),
      ],
      ['Reviews that the adviser made of several sessions in one go', inOneGo(ownReviews)],
      ['Sign-offs of several sessions in one go', inOneGo(signOffs)],
      ['Tools whose review is overdue', decisions.filter(({ reviewDue }) => reviewDue && isOverdue(reviewDue, madeAt))],
      ['Former members in “Who is who”', people.filter(({ until }) => until !== null)],
      ['Legal holds on client references of this pack', holds],
    );
  }
  marks.push(['Redacted lines', redacted]);
  return marks.map(([label, found]) => [label, count(found)]);
}

/** Whether the adviser had said by then whether they checked the output. */
export const wasReviewed = (at: Date, statements: readonly PackStatement[]): boolean =>
  statements.some(({ checked, madeAt }) => checked !== null && madeAt <= at);

/** In which other versions a tool ran from a review of it to the next one; empty where it ran in none. */
export function versionsText(
  review: PackReview,
  { reviews, disclosures }: Pick<PackContent, 'reviews' | 'disclosures'>,
  written: readonly WrittenSession[],
): string {
  const { toolId, madeAt } = review;
  const about = versionOf(review, disclosures);
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

/** The version that a review of a tool was about; null where it is not known. */
export const versionOf = (
  { toolId, disclosureVersion }: PackReview,
  disclosures: PackContent['disclosures'],
): string | null =>
  disclosures.find((one) => one.toolId === toolId && one.version === disclosureVersion)?.answers.version ?? null;

/** What a review of a tool was about: "supplier due diligence 2, version 2026.11". */
export function reviewedOf(review: PackReview, disclosures: PackContent['disclosures']): string {
  if (review.disclosureVersion === null) return 'without supplier due diligence';
  const version = versionOf(review, disclosures);
  return `supplier due diligence ${review.disclosureVersion}, ${version === null ? 'which names no version' : `version ${version}`}`;
}

const isOn = ({ clientReference }: PackHold, reference: string | null): boolean =>
  reference !== null && keyOfReference(clientReference) === keyOfReference(reference);

/** The holds on the client references of these sessions. */
export function holdsOn(holds: readonly PackHold[], references: Iterable<string>): PackHold[] {
  const keys = new Set([...references].map(keyOfReference));
  return holds.filter(({ clientReference }) => keys.has(keyOfReference(clientReference)));
}

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
