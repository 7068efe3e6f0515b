import { day, plus } from '#shared/rules/dates.ts';
import type { PackStatement } from '#server/record/service.ts';
import type { PackContent, PackDecided, PackRules, WrittenSession } from './pack-content.ts';
import { isHeld } from './pack-holds.ts';
import { versionOf } from './pack-reviews.ts';
import { openInSamples } from './pack-samples.ts';
import { undecidedTools, wasAllowed } from './pack-tools.ts';
import { dayCount, type Found, foundText, isOverdue, otherVersion } from './pack-words.ts';

type Marked = Pick<
  PackContent,
  'about' | 'reviews' | 'decided' | 'decisions' | 'disclosures' | 'samples' | 'holds' | 'people'
>;

type Made = { userId: string; madeAt: Date };

type Mark = [label: string, found: readonly Found[], note?: string];

/** What somebody made at one moment with others, and in how many goes. */
function inOneGo(label: string, all: readonly (Made & Found)[]): Mark {
  const keyOf = ({ userId, madeAt }: Made) => `${userId} ${madeAt.getTime()}`;
  const made = new Map<string, number>();
  for (const one of all) made.set(keyOf(one), (made.get(keyOf(one)) ?? 0) + 1);
  const goes = [...made.values()].filter((count) => count > 1).length;
  return [label, all.filter((one) => made.get(keyOf(one))! > 1), `in ${goes} ${goes === 1 ? 'go' : 'goes'}`];
}

/** What a reader has to look at, each with how many there are and in which lines of the CSV; "none" where there are none. */
export function marksIn(content: Marked, written: readonly WrittenSession[]): [label: string, found: string][] {
  const { about, reviews, disclosures } = content;
  const inside = written.filter(({ session }) => !session.outside);
  const answersOf = ({ session, answers }: WrittenSession) =>
    disclosures.find(({ toolId, version }) => toolId === session.toolId && version === answers);
  const warned = inside.filter((one) => otherVersion(one.session.toolVersion, answersOf(one)) !== null);
  const isUnnamed = (one: WrittenSession) => answersOf(one)?.answers.version === null;
  const statements = statementsIn(written);
  const redacted: Found[] = [
    ...[...statements, ...signOffsIn(written)].filter(({ redactedAt }) => redactedAt !== null),
    ...reviews.filter(({ redactedAt }) => redactedAt !== null).map(() => ({})),
  ];
  const marks: Mark[] = [
    ['Sessions outside Adviserly, recorded by hand', written.filter(({ session }) => session.outside)],
    ['Sessions without a client reference', written.filter(({ session }) => session.clientReference === null)],
    ['Sessions on Adviserly whose tool did not report its version', inside.filter((one) => !one.session.toolVersion)],
    ['Sessions on Adviserly without supplier due diligence', inside.filter(({ answers }) => answers === null)],
    ['Sessions whose version differs from the supplier due diligence', warned.filter((one) => !isUnnamed(one))],
    ['Sessions whose supplier due diligence names no version', warned.filter(isUnnamed)],
    ...(about.rules === null ? [] : marksOfPractice(content, about.rules, written)),
    ['Lines whose words were taken out (redacted)', redacted],
  ];
  return marks.map(([label, found, note]) => [label, foundText(found, note)]);
}

/** Statements and sign-offs, each with its line: they follow their session in the order of the file. */
const statementsIn = (written: readonly WrittenSession[]) =>
  written.flatMap((said) =>
    said.statements.map((one, index) => ({ ...one, line: said.line + 1 + index, own: isAdvisers(said, one) })),
  );
const signOffsIn = (written: readonly WrittenSession[]) =>
  written.flatMap(({ line, statements, touches, signOffs }) =>
    signOffs.map((one, index) => ({ ...one, line: line + 1 + statements.length + touches.length + index })),
  );

function marksOfPractice(content: Marked, rules: PackRules, written: readonly WrittenSession[]): Mark[] {
  const { decisions, holds, people, samples } = content;
  const { madeAt } = content.about;
  const isOld = ({ session }: WrittenSession) => session.createdAt < plus(madeAt, -rules.lateAfterDays * day);
  const isSignedUnreviewed = (one: WrittenSession) => one.signOffs.some((off) => !wasReviewed(off.madeAt, one));
  const statements = statementsIn(written);
  const overdue = decisions.filter(({ reviewDue }) => reviewDue && isOverdue(reviewDue, madeAt));
  return [
    [
      `Sessions not reviewed, more than ${dayCount(rules.lateAfterDays)} old`,
      written.filter((one) => one.session.checked === null && isOld(one)),
    ],
    ['Late statements', statements.filter(({ late }) => late)],
    ['Statements made after leaving the practice', statements.filter(({ byFormer }) => byFormer)],
    inOneGo(
      'Statements that an adviser made on the output of several sessions at once',
      statements.filter(({ checked, own }) => own && checked !== null),
    ),
    ['Sessions signed off before the adviser reviewed them', written.filter(isSignedUnreviewed)],
    inOneGo('Sign-offs that a supervisor made for several sessions at once', signOffsIn(written)),
    ['Sessions of a sample that are not signed off', openInSamples(samples, written)],
    ...marksOfDecisions(content, rules, written),
    ...marksOfReviews(content, written),
    [
      'Tools that the practice should have reviewed by now',
      overdue.map(() => ({})),
      overdue.map(({ toolName }) => toolName).join(', '),
    ],
    ['Former members in “Who is who”', people.filter(({ until }) => until !== null).map(() => ({}))],
    ['Legal holds on client references of this pack', holds.map(() => ({}))],
    ['Sessions under a legal hold', written.filter(({ session }) => isHeld(holds, session.clientReference))],
  ];
}

/** Whether the practice allowed the tools when they were used. */
function marksOfDecisions({ decided }: Marked, rules: PackRules, written: readonly WrittenSession[]): Mark[] {
  const isAllowed = ({ session }: WrittenSession) => wasAllowed(decided, rules, session);
  const decidedOf = ({ session }: WrittenSession) => decided.filter(({ toolId }) => toolId === session.toolId);
  const isNever = (one: WrittenSession) => decidedOf(one).length === 0;
  const isBefore = ({ session }: WrittenSession, decision: PackDecided | undefined) =>
    decision !== undefined && session.createdAt < decision.decidedAt;
  const isFirst = (one: WrittenSession) => isBefore(one, decidedOf(one)[0]);
  const isBetween = (one: WrittenSession) => !isFirst(one) && isBefore(one, decidedOf(one).at(-1));
  /** Two marks: of those that might be used, and of the others. */
  const byRule = (label: string, fits: (one: WrittenSession) => boolean, [might, not]: [string, string]): Mark[] => [
    [`${label}, ${might}`, written.filter((one) => fits(one) && isAllowed(one))],
    [`${label}, ${not}`, written.filter((one) => fits(one) && !isAllowed(one))],
  ];
  const rule: [string, string] = [
    `while its rule “${undecidedTools}” let members use it`,
    'while that rule did not let members use it',
  ];
  return [
    ['Sessions whose tool was not allowed when they began', written.filter((one) => !isAllowed(one))],
    ...byRule('Sessions before the practice’s first decision about their tool', isFirst, rule),
    ...byRule('Sessions with a tool that the practice has never decided about', isNever, rule),
    ...(written.some(isBetween)
      ? byRule('Sessions between the first and the last decision about their tool', isBetween, [
          'while it was allowed',
          'while it was not allowed',
        ])
      : []),
  ];
}

/** Whether the practice had reviewed the tools, in the version that was used. */
function marksOfReviews({ reviews, disclosures }: Marked, written: readonly WrittenSession[]): Mark[] {
  const reviewBefore = ({ session }: WrittenSession) =>
    reviews.findLast((one) => one.toolId === session.toolId && one.madeAt <= session.createdAt);
  const isEverReviewed = ({ session }: WrittenSession) => reviews.some(({ toolId }) => toolId === session.toolId);
  const againstReview = (one: WrittenSession) => {
    const review = reviewBefore(one);
    if (!review) return null;
    const [about, ran] = [versionOf(review, disclosures), one.session.toolVersion];
    return about === null || ran === null ? 'unknown' : about === ran ? 'alike' : 'other';
  };
  return [
    ['Sessions with a tool that the practice has never reviewed', written.filter((one) => !isEverReviewed(one))],
    [
      'Sessions before the practice’s first review of the tool',
      written.filter((one) => isEverReviewed(one) && !reviewBefore(one)),
    ],
    [
      'Sessions whose version differs from the practice’s review of the tool',
      written.filter((one) => againstReview(one) === 'other'),
    ],
    [
      'Sessions after the practice’s review of the tool, where the version used or the version reviewed is not known',
      written.filter((one) => againstReview(one) === 'unknown'),
    ],
  ];
}

type Said = Pick<WrittenSession, 'session' | 'statements'>;

/** Whether it is the adviser's own: somebody else in the practice may have looked again for a recall. */
export const isAdvisers = ({ session }: Pick<Said, 'session'>, { userId }: Pick<PackStatement, 'userId'>): boolean =>
  userId === session.userId;

/** Whether the adviser had said by then whether they checked the output. */
export const wasReviewed = (at: Date, said: Said): boolean =>
  said.statements.some((one) => one.checked !== null && one.madeAt <= at && isAdvisers(said, one));
