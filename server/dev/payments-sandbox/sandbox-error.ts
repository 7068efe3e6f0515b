import type Stripe from 'stripe';

type Details = {
  status?: number;
  type?: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  code?: string;
  param?: string;
  decline_code?: string;
  payment_intent?: Stripe.PaymentIntent;
  setup_intent?: Stripe.SetupIntent;
  payment_method?: Stripe.PaymentMethod;
  /** a declined card whose attempt is forgotten, because the whole request is refused with it */
  forgotten?: boolean;
};

/** A refusal in the provider's own shape. */
export class SandboxError extends Error {
  readonly status: number;
  readonly details: Omit<Details, 'forgotten'>;
  /** A declined card leaves its traces (the failed attempt); every other refusal leaves nothing. */
  readonly keepsEffect: boolean;

  constructor(message: string, { status = 400, forgotten = false, ...details }: Details = {}) {
    super(message);
    this.status = status;
    this.details = details;
    this.keepsEffect = details.type === 'card_error' && !forgotten;
  }

  body() {
    return { error: { type: 'invalid_request_error', ...this.details, message: this.message } };
  }
}

export const missing = (kind: string, id: string, param = 'id') =>
  new SandboxError(`No such ${kind.replace('_', ' ')}: '${id}'`, { status: 404, code: 'resource_missing', param });

/** The provider has it, the sandbox not (yet): said openly instead of being ignored. */
export const unsupported = (what: string, param?: string) =>
  new SandboxError(`The payments sandbox does not implement ${what}.`, { code: 'sandbox_unsupported', param });
