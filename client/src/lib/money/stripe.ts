import type { Appearance, Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useMemo, useSyncExternalStore } from 'react';
import type { contract } from '#shared/api/members.ts';
import type { Reply } from '#shared/api/endpoint.ts';

type BillingConfig = Reply<typeof contract.billing.config>;

const addScript = (src: string) =>
  new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(`${src} could not be loaded`));
    });
    document.head.append(script);
  });

const start = async ({ publishableKey, stripeJsUrl }: BillingConfig): Promise<Stripe> => {
  // The payments sandbox has its own Stripe.js; `loadStripe` then finds `window.Stripe` and fetches nothing.
  if (stripeJsUrl && !('Stripe' in window)) await addScript(stripeJsUrl);
  const stripe = await loadStripe(publishableKey, { locale: 'en-AU' });
  if (!stripe) throw new Error('Stripe.js needs a browser');
  return stripe;
};

let started: { key: string; stripe: Promise<Stripe> } | null = null;

/** Loads Stripe.js once per page load. After a failure, the next call tries again. */
export const startStripe = (config: BillingConfig): Promise<Stripe> => {
  if (started?.key !== config.publishableKey) {
    const stripe = start(config);
    started = { key: config.publishableKey, stripe };
    stripe.catch(() => {
      if (started?.stripe === stripe) started = null;
    });
  }
  return started.stripe;
};

const watchTheme = (changed: () => void) => {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
  return () => observer.disconnect();
};
const isDark = () => document.documentElement.classList.contains('dark');

/** Our colours for Stripe's form, which is in a frame that our stylesheet can't reach. */
export const useStripeAppearance = (): Appearance => {
  const dark = useSyncExternalStore(watchTheme, isDark);
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const token = (name: string) => style.getPropertyValue(`--color-${name}`).trim();
    return {
      theme: dark ? 'night' : 'stripe',
      labels: 'above',
      variables: {
        colorPrimary: token('primary'),
        colorBackground: token('surface'),
        colorText: token('text'),
        colorTextSecondary: token('muted'),
        colorTextPlaceholder: token('muted'),
        colorDanger: token('danger'),
        borderRadius: '8px',
        fontFamily: '"Inter Variable", system-ui, sans-serif',
        fontSizeBase: '14px',
        spacingUnit: '4px',
      },
      rules: { '.Input': { border: `1px solid ${token('control')}`, boxShadow: 'none' } },
    };
  }, [dark]);
};
