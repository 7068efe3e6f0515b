import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { useRef, useState } from 'react';
import { cardFailed, cardReturn, storeCard, whyNotStored } from '#client/lib/money/store-card.ts';
import { confirmCard, explained } from '#client/lib/money/confirm-card.ts';
import type { Payer } from '#client/lib/money/payer.ts';

type Options = Payer & {
  stripe: Stripe | null;
  elements: StripeElements | null;
  clientSecret: string;
  onSaved: () => void;
};

/** Confirms the card with Stripe, then makes it the one that pays. A retry does not confirm a second time. */
export const useSaveCard = ({ stripe, elements, clientSecret, teamId, onSaved }: Options) => {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<{ title?: string; sentence: string }>();
  const sending = useRef(false);
  const confirmed = useRef(false);

  const confirm = async (): Promise<boolean> => {
    if (confirmed.current) return true;
    if (!stripe || !elements) return false;
    const checked = await elements.submit();
    if (checked.error) {
      setFault({ sentence: checked.error.message ?? cardFailed });
      return false;
    }
    const returnUrl = cardReturn({ teamId });
    const refusal = await confirmCard({ stripe, elements, clientSecret, setup: true, returnUrl });
    if (refusal === 'paid') return (confirmed.current = true);
    const sentence = explained(refusal);
    setFault(sentence ? { title: cardFailed, sentence } : { sentence: cardFailed });
    return false;
  };

  const save = async () => {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    setFault(undefined);
    try {
      if (!(await confirm())) return;
      await storeCard(clientSecret.slice(0, clientSecret.indexOf('_secret_')), { teamId });
      onSaved();
    } catch (error) {
      setFault({ sentence: whyNotStored(error) });
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  return { save, busy, fault };
};
