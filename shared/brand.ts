export const brand = {
  name: 'Adviserly',
  tagline: 'Efficient Adviser Tools',
  description: 'Individually priced AI tools for Australian financial advisers.',
  partnerGroupName: 'Shaw and Partners',
} as const;

/** Who sells the product, as pages, mails and tax invoices say. */
export type Seller = {
  name: string;
  /** Eleven digits. */
  abn: string;
  /** On one line. */
  address: string;
  /** As `+61255501234`. */
  phone: string;
  supportEmail: string;
  salesEmail: string;
  enterpriseEmail: string;
  privacyEmail: string;
};

/** For development and demonstrations; nobody has this ABN. Whoever takes real money configures their own (`SELLER_NAME` and others). */
export const sampleSeller: Seller = {
  name: 'Adviserly Pty Ltd',
  abn: '00000000000',
  address: 'Level 1, 1 Example Street, Sydney NSW 2000',
  phone: '+61255501234',
  supportEmail: 'support@adviserly.example',
  salesEmail: 'sales@adviserly.example',
  enterpriseEmail: 'enterprise@adviserly.example',
  privacyEmail: 'privacy@adviserly.example',
};

let configured = sampleSeller;

export const seller = () => configured;

/** Says who sells here: a server at its start, a browser from its page. */
export const sellAs = (one: Seller): void => {
  configured = one;
};
