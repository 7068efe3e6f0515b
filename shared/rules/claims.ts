import { recordStays } from './record/kept.ts';

/** Where a claim is said: beside the buttons and among the badges of the landing page, in texts, where a tool is bought. */
type Place = 'point' | 'badge' | 'sentence' | 'benefit';

type Claim = Partial<Record<Place, string>> & {
  /** The section of /security that says what is actually done. */
  about: 'encryption' | 'client-data' | 'controls' | 'hosting' | 'availability' | 'rights' | 'figures';
};

/** What the seller says of itself beyond what the product shows. In production, only the claims that PUBLIC_CLAIMS names are made. */
const claims = {
  'client-data': {
    sentence: `Client data is processed but not permanently stored. ${recordStays}`,
    about: 'client-data',
  },
  'australian-data': { sentence: 'Data is kept in Australian data centres.', about: 'hosting' },
  'aes-256': { sentence: 'Stored data is encrypted with AES-256.', about: 'encryption' },
  'tls-1.3': { sentence: 'Connections are encrypted with TLS 1.3.', about: 'encryption' },
  'soc-2': { badge: 'SOC 2 Type II', sentence: 'Our controls follow SOC 2.', about: 'controls' },
  'iso-27001': { badge: 'ISO 27001', about: 'controls' },
  'bank-grade': { badge: 'Bank-Grade Encryption', benefit: 'Bank-grade security', about: 'encryption' },
  gdpr: { badge: 'GDPR Compliant', about: 'rights' },
  cloud: { badge: 'Cloud Hosted', about: 'hosting' },
  'hours-saved': { point: 'Saves 15+ hours per week', about: 'figures' },
  advisers: { benefit: 'Trusted by 500+ advisers', about: 'figures' },
  uptime: { benefit: '99.9% uptime', about: 'availability' },
} as const satisfies Record<string, Claim>;

export type ClaimId = keyof typeof claims;
export const claimIds = Object.keys(claims) as [ClaimId, ...ClaimId[]];

/** What the claims that are made say at this place, each with its section of /security. */
export function claimsAt(place: Place, made: readonly ClaimId[]): { text: string; about: Claim['about'] }[] {
  const said: Claim[] = claimIds.filter((id) => made.includes(id)).map((id) => claims[id]);
  return said.flatMap(({ about, [place]: text }) => (text === undefined ? [] : [{ text, about }]));
}
