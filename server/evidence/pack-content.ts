import type { PackPerson, PackPractice } from '#shared/rules/record/evidence.ts';
import type {
  everyHoldOf,
  PackDecision,
  PackDisclosure,
  PackReview,
  PackSignOff,
  PackStatement,
} from '#server/record/service.ts';
import type { PackRecall, PackTouch } from '#server/recalls/service.ts';
import type { packs } from '#server/usage/service.ts';

export type PackHold = Awaited<ReturnType<typeof everyHoldOf>>[number];

/** What a pack says about itself. */
export type PackAbout = {
  id: string;
  /** Null in an adviser's own pack. */
  practice: PackPractice | null;
  /** Days after a session from which a review is late now; null in an adviser's own pack. */
  lateAfterDays: number | null;
  /** What its practice lets advisers tick as checked. */
  checks: readonly string[];
  /** Where the pack can be verified, in full. */
  verifyUrl: string;
  /** A time-stamping authority is asked to vouch for it. */
  stamps: boolean;
  covers: string;
  askedById: string;
  askedAt: Date;
  madeAt: Date;
};
export type PackContent = {
  about: PackAbout;
  sessions: packs.PackSession[];
  statements: PackStatement[];
  /** Which recalls touch which of the sessions. */
  touches: PackTouch[];
  recalls: PackRecall[];
  /** Of a practice's pack. */
  signOffs: PackSignOff[];
  disclosures: PackDisclosure[];
  reviews: PackReview[];
  decisions: PackDecision[];
  /** The legal holds on its client references. */
  holds: PackHold[];
  /** Everybody whom the files name, with their business's time zone. */
  people: (PackPerson & { zone: string })[];
};

/** A session as it is written: its statements, the version of the maker's answers when it began, and its line in the CSV. */
export type WrittenSession = {
  line: number;
  session: packs.PackSession;
  answers: number | null;
  statements: PackStatement[];
  touches: PackTouch[];
  signOffs: PackSignOff[];
};
