/** What Stripe says of a refusal beside its message. */
type Details = {
  status?: number;
  type?: 'invalid_request_error' | 'card_error' | 'idempotency_error';
  code?: string;
  [more: string]: unknown;
};

const unsupportedCode = 'sandbox_unsupported';

/** A refusal in Stripe's own shape. */
export class SandboxError extends Error {
  readonly status: number;
  readonly details: Details;

  constructor(message: string, { status = 400, ...details }: Details = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }

  answer() {
    const { code } = this.details;
    const documented = code !== undefined && code !== unsupportedCode;
    const doc_url = `https://docs.stripe.com/error-codes#${code?.replaceAll('_', '-')}`;
    const error = { type: 'invalid_request_error', ...this.details, message: this.message };
    return { status: this.status, body: { error: { ...error, ...(documented && { doc_url }) } } };
  }
}

/** What a refusal answers; everything else is a fault, and thrown again. */
export function refusalOf(error: unknown) {
  if (error instanceof SandboxError) return error.answer();
  throw error;
}

/** 404 where the path names it, or it is part of what the path names; 400 where a parameter does. */
export const missing = (kind: string, id: string, param = 'id') =>
  new SandboxError(`No such ${kind.replace('_', ' ')}: '${id}'`, {
    status: ['id', 'intent', 'client_secret', 'items[0][id]'].includes(param) ? 404 : 400,
    code: 'resource_missing',
    param,
  });

export const required = (param: string) =>
  new SandboxError(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

/** Stripe has it and the sandbox doesn't: refused openly rather than ignored. */
export const unsupported = (what: string, param?: string) =>
  new SandboxError(`The payments sandbox does not implement ${what}.`, { code: unsupportedCode, param });

export const unrecognized = (method: string, path: string) =>
  new SandboxError(`Unrecognized request URL (${method}: ${path}).`, { status: 404 });
