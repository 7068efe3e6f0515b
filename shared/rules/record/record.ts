/** What a session was for: chosen by the adviser, or said by the tool. */
export const purposes = [
  'fact_find',
  'risk_profile',
  'file_note',
  'research',
  'advice_document',
  'client_letter',
  'form',
  'other',
] as const;
export type Purpose = (typeof purposes)[number];

/** On every page, in the PDF and in the CSV. */
export const purposeLabels: Record<Purpose, string> = {
  fact_find: 'Fact find',
  risk_profile: 'Risk profile',
  file_note: 'File note',
  research: 'Research',
  advice_document: 'Advice document',
  client_letter: 'Letter to a client',
  form: 'Form',
  other: 'Something else',
};

/** Who said what a session was for, or for which client. */
export const sources = ['adviser', 'tool'] as const;

export const longestVersion = 40;
export const longestReference = 40;
export const longestRemark = 500;

/** Days after a session from which a review of it is late, unless the practice sets another number. */
export const lateAfterDays = 7;
export const mostLateAfterDays = 365;
export const longestReason = 200;

/** What becomes of a tool that a member asks their practice for. */
export const askOutcomes = ['allowed', 'bought', 'declined'] as const;
/** What advisers can tick as checked, unless their practice has a list of its own. */
export const usualChecks: readonly string[] = ['Figures', 'Recommendations', 'The client’s circumstances'];
export const longestCheck = 60;
export const mostChecks = 12;

/** Of a tool that a practice uses elsewhere. */
export const longestToolName = 80;

/** Who redacted a line of a closed practice, and whoever has closed their account since. */
export const redactedByUs = 'Adviserly, for the closed practice';
export const closedAccount = 'Closed account';

type Said = { clientReference: string | null };

/** The client reference of a session that came with it, or from its tool, where no line of its history says it. */
export const referenceOfNoLine = ({ clientReference }: Said, lines: readonly Said[]): string | null =>
  lines.some((line) => line.clientReference === clientReference) ? null : clientReference;

/** For how long a statement and a client reference are kept. */
export const recordYears = 7;

/** How many days back a team's page counts the use of tools. */
export const inventoryDays = 90;
/** How many days back the dashboard asks for statements. */
export const unstatedDays = 30;
/** The dashboard counts no further. */
export const mostUnstated = 99;
/** Sessions on a page of the register. */
export const recordPageSize = 25;
