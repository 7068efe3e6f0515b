/** How bad what a tool did may be. */
export const severities = ['low', 'medium', 'high'] as const;
export type Severity = (typeof severities)[number];
export const severityLabels: Record<Severity, string> = {
  low: 'Low: unlikely to matter to a client',
  medium: 'Medium: may matter to a client',
  high: 'High: a client may be harmed',
};

/** What happened to a recall, line by line. */
export const recallActs = ['opened', 'confirmed', 'changed', 'closed'] as const;

/** What somebody found who looked at a session again. */
export const findings = ['nothing', 'fault'] as const;
export type Finding = (typeof findings)[number];
export const findingLabels: Record<Finding, string> = { nothing: 'Nothing wrong', fault: 'Something was wrong' };

/** A maker's recall that tells more people than this waits until an administrator confirms it. */
export const mostToldUnconfirmed = 100;

/** Among the versions of a recall: sessions whose tool reported none. */
export const noVersion = '';

/** What a recall says; the form of each line of its history, too. */
export type RecallTerms = {
  /** Empty: all. */
  versions: string[];
  /** Sydney days, both included; without a last day, until it is closed. */
  fromDay: string;
  untilDay: string | null;
  wrong: string;
  lookFor: string;
  severity: Severity;
  stops: boolean;
};

/** A version as people read it. */
export const versionText = (version: string) => (version === noVersion ? 'no version reported' : version);

/** "every version" or "versions 1.0 and 1.1" */
export const versionsText = (versions: readonly string[]) =>
  versions.length === 0
    ? 'every version'
    : `${versions.length === 1 ? 'version' : 'versions'} ${versions.map(versionText).join(', ')}`;

/** For the reader: "one session" or "7 sessions". */
export const countText = (count: number, unit: string) => (count === 1 ? `one ${unit}` : `${count} ${unit}s`);
