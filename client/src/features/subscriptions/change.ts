import { contract } from '#shared/api/index.ts';
import { ApiError } from '#client/lib/api-error.ts';

const { list, listAll, quote, winBackOffers } = contract.subscriptions;

/** What is told anew after any change of a subscription. */
export const changedBySubscription = [list, listAll, quote, winBackOffers, contract.billing.invoices] as const;

/** What the server refused with a reason, else the specification's sentence for this action (B §8). */
export const refusalOr = (error: unknown, sentence: string) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 ? error.sentence : sentence;

/** The payer's part of a call keyed by tool: absent for one's own (decisions §7). */
export const payerOf = ({ teamId }: { teamId: string | null }) => (teamId === null ? {} : { teamId });
