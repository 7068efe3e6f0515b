import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { paths } from '#client/lib/pages/paths.ts';

/** What Stripe adds to the return address. */
const stripeParams = [
  'payment_intent',
  'payment_intent_client_secret',
  'setup_intent',
  'setup_intent_client_secret',
  'redirect_status',
];

/** Where Stripe sends the browser if it has to leave the page, such as to a bank: a page of ours, with these parameters. */
export const returnAddress = (ours: Record<string, string>, page: string = paths.dashboard) =>
  `${window.location.origin}${page}?${new URLSearchParams(ours)}`;

/**
 * For a page that Stripe returns to. After a return from Stripe that `purpose`, one of our own parameters, marks as this caller's, and once all is
 * `ready`: removes it, the `passing` ones and Stripe's from the address, and then tells the outcome.
 */
export const useStripeReturn = (
  { purpose, passing, ready }: { purpose: string; passing: readonly string[]; ready: boolean },
  tell: (returned: URLSearchParams) => Promise<void>,
) => {
  const [path, navigate] = useLocation();
  const land = useEffectEvent(() => {
    const returned = new URLSearchParams(window.location.search);
    if (!returned.has(purpose) || !stripeParams.some((name) => returned.has(name))) return;
    const rest = new URLSearchParams(returned);
    for (const name of [...stripeParams, ...passing, purpose]) rest.delete(name);
    navigate(rest.size > 0 ? `${path}?${rest}` : path, { replace: true });
    void tell(returned);
  });
  useEffect(() => {
    if (ready) land();
  }, [ready]);
};
