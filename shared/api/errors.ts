/**
 * Every error an API answer can carry: code → [HTTP status, sentence]. Sentences are the specification's catalogue
 * (A §5, §8; B §5, §8; decisions §3–§16) to the letter. Field errors use `invalid_input` with their own sentences.
 */
export const errors = {
  invalid_input: [400, 'Please check the highlighted fields.'],
  malformed_request: [400, 'The request could not be read.'],
  unauthorized: [401, 'Unauthorized'],
  invalid_credentials: [401, 'Invalid email or password.'],
  invalid_tool_credentials: [401, 'Invalid tool credentials.'],
  forbidden: [403, 'You do not have permission to do this.'],
  admin_required: [403, 'Administrator access required.'],
  profile_incomplete: [403, 'Please complete your profile first.'],
  cross_site: [403, 'Cross-site requests are not allowed.'],
  csrf_invalid: [403, 'Your security token has expired. Please try again.'],
  setup_closed: [403, 'Please open this page with its setup link.'],
  email_unverified: [403, 'Please verify your email address before starting a free trial.'],
  subscription_required: [403, 'An active subscription is required.'],
  not_found: [404, 'Not found.'],
  tool_not_found: [404, 'This tool does not exist.'],
  subscription_not_found: [404, 'You have no subscription to this tool.'],
  email_taken: [409, 'An account with this email already exists.'],
  already_verified: [409, 'Your email address is already verified.'],
  profile_already_complete: [409, 'Your profile is already complete.'],
  already_subscribed: [409, 'You are already subscribed to this tool.'],
  lost_money_gate: [409, 'Lost-Money.ai is free with any other subscription. Please subscribe to another tool first.'],
  coming_soon: [409, 'This tool is coming soon and cannot be subscribed to yet.'],
  trial_used: [409, 'You have already used the free trial of this tool.'],
  trial_not_needed: [409, 'This tool costs you nothing, so there is no trial to start.'],
  conflict: [409, 'This was changed by someone else. Please try again.'],
  clock_fixed: [409, 'The clock cannot be moved while real Stripe keys are in use.'],
  owns_team: [409, 'Please hand over or close your team before you close your account.'],
  last_admin: [409, 'You are the only administrator, so your account cannot be closed.'],
  setup_done: [409, 'An administrator account already exists.'],
  token_invalid: [400, 'Invalid or expired verification token'],
  reset_token_invalid: [400, 'Invalid or expired reset token'],
  payload_too_large: [413, 'The request is too large.'],
  unsupported_media_type: [415, 'The request must be application/json.'],
  rate_limited: [429, 'Too many attempts. Please try again later.'],
  internal: [500, 'Something went wrong on our side. Please try again.'],
  payment_provider_unavailable: [503, 'The payment provider is not answering. Please try again.'],
  busy: [503, 'The service is busy. Please try again in a moment.'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof errors;

/** The body of every error answer (decisions §13). */
export type ErrorBody = { code: ErrorCode; message: string; fields?: Record<string, string>; requestId: string };
