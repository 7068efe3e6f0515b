/** What customers read about the seller. The operator edits it; a claim removed here vanishes from every page. */
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
  /** Shown on the landing page. */
  landingClaims: ['Saves 15+ hours per week'],
  trustBadges: ['SOC 2 Type II', 'ISO 27001', 'Bank-Grade Encryption', 'GDPR Compliant', 'Cloud Hosted'],
  /** Said in the privacy policy and on the help page. */
  securityClaims: [
    'Client data is processed but not permanently stored.',
    'Data is kept in Australian data centres.',
    'Stored data is encrypted with AES-256.',
    'Connections are encrypted with TLS 1.3.',
    'Our controls follow SOC 2.',
  ],
  /** Shown on the subscribe screen. */
  subscribeClaims: ['Bank-grade security', 'Trusted by 500+ advisers', '99.9% uptime'],
} as const;
