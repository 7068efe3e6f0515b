/** What a tool needs before it is published; each names the refusal that says so. */
export const publicationDemands = [
  'tool_undescribed',
  'tool_name_taken',
  'tool_unencrypted',
  'tool_unchecked',
  'tool_unstated',
  'tool_unpriced',
] as const;
export type PublicationDemand = (typeof publicationDemands)[number];

/** A maker's part of what subscribers paid, less what was refunded, in percent, unless another is agreed on. */
export const usualSharePercent = 70;

/** The maker's part of an amount, rounded half up to the cent. */
export const shareOf = (cents: number, sharePercent: number) => Math.floor((cents * sharePercent + 50) / 100);
