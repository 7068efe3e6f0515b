import type { PackPerson, PackPractice } from '#shared/rules/record/evidence.ts';
import type {
  forPacks,
  PackDecision,
  PackDisclosure,
  PackReview,
  PackSignOff,
  PackStatement,
} from '#server/record/service.ts';
import type { PackRecall, PackTouch } from '#server/recalls/service.ts';
import type { packs } from '#server/usage/service.ts';

export type PackHold = Awaited<ReturnType<typeof forPacks.everyHoldOf>>[number];

export type PackSample = Awaited<ReturnType<typeof forPacks.samplesOf>>[number];

export type PackDecided = forPacks.Decided & { toolName: string };

export type PackRules = {
  /** Days after a session from which a statement is late. */
  lateAfterDays: number;
  refusesLate: boolean;
  needsClient: boolean;
  newToolsAllowed: boolean;
};

/** What a pack says about itself. */
export type PackAbout = {
  id: string;
  /** Null in an adviser's own pack. */
  practice: PackPractice | null;
  /** What held in its practice when it was made; null in an adviser's own pack. */
  rules: PackRules | null;
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
  /** Every time that the practice allowed a tool or stopped it, in order. */
  decided: PackDecided[];
  decisions: PackDecision[];
  /** What was drawn from the practice’s record with a session of the pack in it. */
  samples: PackSample[];
  /** What the makers announced to change. */
  announcements: forPacks.AnnouncementRow[];
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
