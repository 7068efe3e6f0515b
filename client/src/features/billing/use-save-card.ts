import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { useRef, useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/members.ts';
import { cardName, formatCents } from '#shared/rules/money.ts';
import { api } from '#client/lib/api.ts';
import { refusalOr } from '#client/lib/api-error.ts';
import { confirmCard, explained } from '#client/lib/confirm-card.ts';
import { paths } from '#client/lib/paths.ts';
import { type Payer, payerArgs } from '#client/lib/payer.ts';
import { toast } from '#client/lib/toast.ts';
import { useDialogLock } from '#client/ui/dialog-lock.ts';

const failed = 'Failed to update payment method. Please try again.';

/** Says what the card was charged at once, and that it pays from now on. */
const outcomeOf = ({ paidCents, refusedCents, ...card }: Reply<typeof contract.billing.savePaymentMethod>) => {
  const paid = paidCents > 0 ? `${formatCents(paidCents)} was charged to it. ` : '';
  const refused = refusedCents > 0 ? `The ${formatCents(refusedCents)} owed could not be charged to it. ` : '';
  return `${paid}${refused}${cardName(card)} will be used from now on.`;
};

type Options = Payer & {
  stripe: Stripe | null;
  elements: StripeElements | null;
  clientSecret: string;
  onSaved: () => void;
};

/** Confirms the card with Stripe, then makes it the one that pays. A retry does not confirm a second time. */
export const useSaveCard = ({ stripe, elements, clientSecret, teamId, onSaved }: Options) => {
  const [busy, setBusy] = useState(false);
  useDialogLock(busy);
  const [fault, setFault] = useState<{ title?: string; sentence: string }>();
  const sending = useRef(false);
  const confirmed = useRef(false);

  const confirm = async (): Promise<boolean> => {
    if (confirmed.current) return true;
    if (!stripe || !elements) return false;
    const checked = await elements.submit();
    if (checked.error) {
      setFault({ sentence: checked.error.message ?? failed });
      return false;
    }
    const returnUrl = new URL(`${paths.dashboard}?tab=billing`, window.location.origin).href;
    const refusal = await confirmCard({ stripe, elements, clientSecret, setup: true, returnUrl });
    if (refusal === 'paid') return (confirmed.current = true);
    const sentence = explained(refusal);
    setFault(sentence ? { title: failed, sentence } : { sentence: failed });
    return false;
  };
  const store = async () => {
    const setupIntentId = clientSecret.slice(0, clientSecret.indexOf('_secret_'));
    const saved = await api.billing.savePaymentMethod({ body: { setupIntentId, ...payerArgs({ teamId }) } });
    toast({ title: 'Payment Method Updated', description: outcomeOf(saved) });
    onSaved();
  };

  const save = async () => {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    setFault(undefined);
    try {
      if (await confirm()) await store();
    } catch (error) {
      setFault({ sentence: refusalOr(error, failed) });
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  return { save, busy, fault };
};
