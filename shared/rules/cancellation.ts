/** Why somebody cancels (B §5), in the order of the form. */
export const cancellationReasons = ['too_expensive', 'not_using', 'switching_tools', 'poor_support', 'other'] as const;
export type CancellationReason = (typeof cancellationReasons)[number];

export const cancellationReasonLabels: Record<CancellationReason, string> = {
  too_expensive: 'Too expensive',
  not_using: 'Not using it enough',
  switching_tools: 'Switching to another tool',
  poor_support: 'Poor support',
  other: 'Other',
};
