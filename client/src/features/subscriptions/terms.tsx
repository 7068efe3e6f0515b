import { brand } from '#shared/brand.ts';
import { paths } from '#client/lib/paths.ts';
import { TextLink } from '#client/ui/text-link.tsx';

/** Terms and privacy wording below the button that charges (B §2). */
export const Terms = ({ amount }: { amount: string }) => (
  <p className="figures text-xs text-muted">
    By subscribing you agree to these terms: {brand.sellerName} charges {amount} to your card today and each month until
    you cancel. Prices are in Australian dollars and include GST. How we handle your information is in our{' '}
    <TextLink href={paths.privacy}>Privacy Policy</TextLink>.
  </p>
);
