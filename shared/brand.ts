/** What customers read about the seller. The operator edits it. What the seller claims is in rules/claims.ts. */
export const brand = {
  name: 'Adviserly',
  tagline: 'Efficient Adviser Tools',
  description: 'Individually priced AI tools for Australian financial advisers.',
  supportEmail: 'support@adviserly.example',
  salesEmail: 'sales@adviserly.example',
  enterpriseEmail: 'enterprise@adviserly.example',
  privacyEmail: 'privacy@adviserly.example',
  phone: '+61255501234',
  sellerName: 'Adviserly Pty Ltd',
  sellerAbn: '51824753556',
  partnerGroupName: 'Shaw and Partners',
} as const;
