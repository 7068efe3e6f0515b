import type { TeamRole } from '../people/teams.ts';

/** The columns of an evidence pack's CSV. The last is the line's link of the chain: see shared/rules/record/evidence-chain.ts. */
export const packColumns = [
  'Line',
  'Kind',
  'Time (UTC)',
  'Session ID',
  'Adviser ID',
  'Tool ID',
  'Tool',
  'Tool version',
  'Duration (seconds)',
  'Actions',
  'Purpose',
  'Purpose from',
  'Client reference',
  'Reference from',
  'Output checked',
  'Tool answers',
  'Details',
  'Local time',
  'SHA-256',
] as const;
/** As `Local time` came later, older packs lack it. */
export const olderPackColumns = packColumns.filter((column) => column !== 'Local time');

/** What a line is about; the first is always Pack, the last End. */
export const packKinds = [
  'Pack',
  'Practice',
  'Person',
  'Tool answers',
  'Announced change',
  'Session',
  'Statement',
  'Recalled',
  'Recall',
  'Sign-off',
  'Decision',
  'Tool',
  'Review',
  'Sample',
  'Legal hold',
  'End',
] as const;
export type PackKind = (typeof packKinds)[number];

export const packFormat = 'adviserly-evidence-pack-1';

/** From being asked for to being made; one that failed, or whose files went since a line was redacted, has to be asked for again. */
export const packStates = ['waiting', 'reading', 'writing', 'made', 'failed', 'withdrawn'] as const;
export type PackState = (typeof packStates)[number];

/** Why no pack was made: more lines than one may have, or a fault of ours. */
export const packFailures = ['too_long', 'fault'] as const;
export type PackFailure = (typeof packFailures)[number];

/** What the page and the notice say about it. */
export const packFailureSentences: Record<PackFailure, string> = {
  too_long: 'Its sessions have more than 60,000 lines in all. Please choose a shorter period, or one tool at a time.',
  fault: 'We could not make it because of a fault on our side. Please make it again. If it fails again, write to us.',
};

/** The files of a pack that are stored. */
export const packFiles = ['csv', 'pdf'] as const;
export type PackFileKind = (typeof packFiles)[number];

/** The most that one pack holds. A practice with more asks for a shorter period, or one tool or adviser at a time. */
export const mostPackSessions = 10_000;
/** The most lines in its CSV: a session may have any number of statements. */
export const mostPackLines = 60_000;
export const packYears = 7;

/** Handed out with the CSV and the PDF, and says what they are, so that all three can be compared. */
export type PackManifest = {
  format: typeof packFormat;
  pack: string;
  covers: string;
  madeAt: string;
  lines: number;
  sessions: number;
  statements: number;
  head: string;
  /** The practice, and who is who in its files; packs made before people were named have neither. */
  practice?: PackPractice | null;
  people?: PackPerson[];
  /** The list of people goes with a practice's pack; older packs don't say its SHA-256. */
  files: { csv: PackFile; pdf: PackFile; people?: PackFile };
};
/** As it was when the pack was made. */
export type PackPractice = {
  id: string;
  name: string;
  abn: string | null;
  afsl: string | null;
  /** As its owner entered it; older packs don't say it. */
  dealerGroup?: string | null;
};
export type PackPerson = {
  id: string;
  name: string;
  email: string;
  /** In the Financial Advisers Register. */
  adviserNumber: string | null;
  /** When they joined and left the practice, ISO 8601 in UTC. */
  since: string | null;
  until: string | null;
  /** In the practice when the pack was made; older packs don't say it. */
  role?: TeamRole | null;
};
export type PackFile = { name: string; bytes: number; sha256: string };
