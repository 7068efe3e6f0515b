import { brand } from '#shared/brand.ts';
import { paths } from '#client/lib/paths.ts';
import { formatCents } from '#shared/rules/money.ts';
import { TextLink } from '#client/ui/text-link.tsx';

/** An offer's price holds for its months only. */
export type OfferTerms = { months: number; thenCents: number };

/** Terms and privacy wording below the button that charges (B §2). */
export const Terms = ({ amount, offer }: { amount: string; offer?: OfferTerms | undefined }) => (
  <p className="figures text-xs text-muted">
    By subscribing you agree to these terms: {brand.sellerName} charges {amount} to your card today
    {offer
      ? `${offer.months > 1 ? ` and each month, ${offer.months} times in all` : ''}, then ${formatCents(offer.thenCents)} each month`
      : ' and each month'}{' '}
    until you cancel. Prices are in Australian dollars and include GST. How we handle your information is in our{' '}
    <TextLink href={paths.privacy}>Privacy Policy</TextLink>.
  </p>
);
