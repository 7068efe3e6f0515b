import { TriangleAlert } from 'lucide-react';
import type { ErrorCode } from '#shared/api/errors.ts';
import { ApiError } from '#client/lib/calls/api-error.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { Button, ButtonLink } from '#client/ui/button.tsx';
import { Card } from '#client/ui/card.tsx';

/** Refusals with a reason worth showing; anything else may be temporary. */
const explained: readonly ErrorCode[] = [
  'already_subscribed',
  'lost_money_gate',
  'coming_soon',
  'tool_not_found',
  'trial_used',
  'trial_not_needed',
  'email_unverified',
  'rate_limited',
  'price_changed',
  'bill_unpaid',
];

export const purchaseFailed = 'Failed to initialize subscription. Please try again.';

/** Why a discount code can't be used, if that is what the server refuses. */
export const codeRefusal = (error: unknown): string | undefined => {
  const sentence = error instanceof ApiError ? error.fields['code'] : undefined;
  return sentence && `${sentence}.`;
};

export const purchaseFailure = (error: ApiError) =>
  codeRefusal(error) ?? (explained.some((code) => code === error.code) ? error.sentence : purchaseFailed);

type Props = { sentence: string; requestId?: string | undefined; as?: 'h1' | 'h2' };

export const PurchaseError = ({ sentence, requestId, as: Heading = 'h1' }: Props) => (
  <Card role="alert" className="mx-auto flex w-full max-w-form flex-col items-center p-8 text-center">
    <span aria-hidden className="flex size-10 items-center justify-center rounded-full bg-danger-subtle text-danger">
      <TriangleAlert className="size-5" />
    </span>
    <Heading className="mt-3 text-lg">Subscription Error</Heading>
    <p className="mt-1 text-muted">{sentence}</p>
    {requestId && <p className="mt-1 font-mono text-xs text-muted">Request {requestId}</p>}
    <div className="mt-6 flex flex-wrap justify-center gap-2">
      <ButtonLink href={paths.dashboard} variant="secondary">
        Back to Dashboard
      </ButtonLink>
      <Button onClick={() => window.location.reload()}>Try Again</Button>
    </div>
  </Card>
);
