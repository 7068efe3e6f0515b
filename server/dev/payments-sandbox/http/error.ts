import type Stripe from 'stripe';

type Details = {
  status?: number;
  type?: 'invalid_request_error' | 'card_error' | 'idempotency_error';
  code?: string;
  param?: string;
  decline_code?: string;
  advice_code?: string;
  charge?: string;
  payment_intent?: Stripe.PaymentIntent;
  setup_intent?: Stripe.SetupIntent;
  payment_method?: Stripe.PaymentMethod;
};

const unsupportedCode = 'sandbox_unsupported';

/** A refusal in Stripe's own shape. */
export class SandboxError extends Error {
  readonly status: number;
  readonly details: Details;
  /** A declined card leaves its traces (the failed attempt); every other refusal leaves nothing. */
  readonly keepsEffect: boolean;

  constructor(message: string, { status = 400, ...details }: Details = {}) {
    super(message);
    this.status = status;
    this.details = details;
    this.keepsEffect = details.type === 'card_error';
  }

  body() {
    const { code } = this.details;
    const documented = code !== undefined && code !== unsupportedCode;
    const doc_url = `https://docs.stripe.com/error-codes#${code?.replaceAll('_', '-')}`;
    const error = { type: 'invalid_request_error', ...this.details, message: this.message };
    return { error: { ...error, ...(documented && { doc_url }) } };
  }
}

/** 404 where the path names it, 400 where a parameter does. */
export const missing = (kind: string, id: string, param = 'id') =>
  new SandboxError(`No such ${kind.replace('_', ' ')}: '${id}'`, {
    status: ['id', 'intent', 'client_secret'].includes(param) ? 404 : 400,
    code: 'resource_missing',
    param,
  });

export const required = (param: string) =>
  new SandboxError(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

export const notWhole = (param: string, kind = 'integer') =>
  new SandboxError(`Invalid ${kind}: ${param}`, { code: 'parameter_invalid_integer', param });

/** Stripe has it and the sandbox doesn't: refused openly rather than ignored. */
export const unsupported = (what: string, param?: string) =>
  new SandboxError(`The payments sandbox does not implement ${what}.`, { code: unsupportedCode, param });
