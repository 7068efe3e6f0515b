import type { Forecast } from '#shared/rules/forecast.ts';
import type { InvoiceLine } from '#shared/schema/billing.ts';
import type { MoneyMail, Notice } from '#server/notifications/service.ts';
import type { PayerWords } from '#server/payers/service.ts';
import type { Comeback } from '../purchase/win-back-offers.ts';
import type { SubscriptionRow } from '../queries.ts';
import type { Refusals } from './not-allowed.ts';

/** A charge for the subscription that has just come through, in cents. */
export type Payment = {
  invoiceId: string;
  cents: number;
  renewal: boolean;
  /** The first one after a trial. */
  afterTrial: boolean;
  lines: InvoiceLine[];
};

export type SubscriptionNotice = Omit<Notice, 'userId' | 'type'>;

/** What happened to a subscription, and all that its payer is told with it. */
export type StatusChange = {
  before: SubscriptionRow | null;
  row: SubscriptionRow;
  toolName: string;
  words: PayerWords;
  forecast: Forecast;
  paid: Payment | null;
  /** What the practices of whoever pays don't allow. */
  refusals: Refusals;
  /** The invoice that was owed was made void. */
  forgiven: boolean;
  /** Of what has ended: what coming back would cost. */
  comeback: Comeback | null;
};

export type NoticeText = {
  key: string;
  title: string;
  message: string;
  /** Where the notice leads; to the payer's tools where left out. */
  link?: { actionUrl: string; actionLabel: string };
  mail?: { kind: MoneyMail; subject: string; paragraphs?: string[]; optional?: true };
};

export const productOf = ({ toolName, words }: StatusChange) => toolName + words.whose;
