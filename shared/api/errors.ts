import { adminRefusals } from './admin-refusals.ts';
import { purchaseRefusals } from './purchase-refusals.ts';

/** Every error an API answer can carry: code → [HTTP status, sentence]. Field errors use `invalid_input` with their own sentences. */
export const errors = {
  invalid_input: [400, 'Please check the highlighted fields.'],
  malformed_request: [400, 'The request could not be read.'],
  unauthorized: [401, 'Unauthorized'],
  invalid_credentials: [401, 'Invalid email or password.'],
  sign_in_again: [401, 'This took too long or too many tries. Please sign in again.'],
  passkey_refused: [403, 'This passkey was not accepted. Please try again.'],
  passkey_unknown: [403, "This passkey doesn't belong to an account here, or was removed."],
  account_suspended: [403, 'This account is suspended. Our email says why, and where to write if you disagree.'],
  invalid_tool_credentials: [401, 'Invalid tool credentials.'],
  forbidden: [403, 'You do not have permission to do this.'],
  admin_required: [403, 'Administrator access required.'],
  admin_network: [403, 'Administrators work from certain networks only, and this is not one of them.'],
  factor_required: [403, 'Please set up a second factor first.'],
  team_factor_required: [403, 'Your team asks for a second factor. Please set one up under My Profile, Security.'],
  proof_needed: [403, "Please confirm it's you."],
  profile_incomplete: [403, 'Please complete your profile first.'],
  cross_site: [403, 'Cross-site requests are not allowed.'],
  csrf_invalid: [403, 'Your security token has expired. Please try again.'],
  setup_closed: [403, 'Please open this page with its setup link.'],
  verify_to_invite: [403, 'Please verify your email address before you invite people.'],
  subscription_required: [403, 'An active subscription is required.'],
  not_found: [404, 'Not found.'],
  record_not_found: [404, 'The record has no such session.'],
  session_not_found: [404, 'No session of your tool has this id.'],
  erasure_not_found: [404, 'Your tool was not asked for this erasure.'],
  event_not_found: [404, 'Your tool has no such event.'],
  secret_not_found: [404, 'Your tool has no such secret.'],
  test_adviser_not_found: [404, 'Your tool has no such test adviser.'],
  verify_first: [403, 'Please verify your email address first.'],
  drafts_full: [409, 'You have ten tools that are not published. Please write to us if you need more.'],
  test_advisers_full: [409, 'A tool can have five test advisers.'],
  secrets_full: [409, 'Two secrets of a kind may be live. Please revoke one first.'],
  tool_published: [409, 'Your tool is published. Please write to us to change this.'],
  check_running: [409, 'This tool is being checked already.'],
  test_adviser_needed: [409, 'Please give a test adviser access first: the check opens your tool as one.'],
  not_requested: [409, 'This request is no longer open: it was decided, or the tool has changed since.'],
  subscription_not_found: [404, 'You have no subscription to this tool.'],
  user_not_found: [404, 'This user does not exist.'],
  api_key_not_found: [404, 'This API key does not exist.'],
  incident_not_found: [404, 'This incident does not exist.'],
  team_not_found: [404, 'This team does not exist.'],
  team_member_not_found: [404, 'This person is not a member of the team.'],
  invitation_not_found: [404, 'This invitation link is not valid.'],
  misdirected: [421, 'Development does not answer under this name. ALLOWED_HOSTS adds it.'],
  method_not_allowed: [405, 'This address does not take that method.'],
  pack_not_found: [404, 'There is no such evidence pack.'],
  pack_being_made: [409, 'An evidence pack is being made. Please ask for the next one when it is there.'],
  pack_empty: [409, 'No session is in what you chose, so there is nothing to put into a pack.'],
  pack_too_large: [
    409,
    'More than 10,000 sessions are in what you chose, and a pack holds no more. Please choose a shorter period, or one tool or adviser at a time.',
  ],
  event_waits: [409, 'This event is waiting to be delivered already.'],
  owner_stays: [403, 'The owner of a team cannot be removed.'],
  self_removal: [403, 'You cannot remove yourself from a team.'],
  verify_signed_in: [403, 'Please sign in to the account this link was sent to, and verify its address there.'],
  change_signed_in: [403, 'Please sign in to the account that asked for this change, and confirm it there.'],
  wrong_account: [403, 'This invitation is for another email address.'],
  email_taken: [409, 'An account with this email already exists.'],
  already_verified: [409, 'Your email address is already verified.'],
  profile_already_complete: [409, 'Your profile is already complete.'],
  tool_is_closed: [409, 'This tool is closed to new subscribers already.'],
  tool_is_open: [409, 'This tool is open to new subscribers already.'],
  erasure_confirmed: [409, 'The tool has confirmed this erasure itself. Replay ends the incident.'],
  trial_used: [409, 'You have already used the free trial of this tool.'],
  trial_not_needed: [409, 'This tool costs you nothing, so there is no trial to start.'],
  card_unconfirmed: [409, 'This card was not confirmed. Please enter it again.'],
  card_only: [409, 'Only a card can pay here. Nothing has changed; please enter a card.'],
  card_changed: [
    409,
    'Your card on file has changed in the meantime. Nothing was charged; please check and try again.',
  ],
  price_changed: [409, 'The price has changed in the meantime. Nothing was charged; please check and try again.'],
  cannot_cancel: [409, 'This subscription cannot be cancelled.'],
  cannot_reactivate: [409, 'This subscription can no longer be reactivated.'],
  cannot_change_renewal: [409, 'Auto-renewal cannot be changed for this subscription.'],
  nothing_to_pay: [409, 'There is nothing to pay for this subscription.'],
  offer_changed: [409, 'This offer has changed.'],
  subscription_unknown: [409, 'Stripe does not know this subscription. Please contact us.'],
  subscription_unclaimed: [
    409,
    'Stripe bills a subscription that our records don’t match. Nothing was charged now. Please contact us.',
  ],
  payments_misconfigured: [
    409,
    "This can't be paid for right now because of a mistake on our side. Nothing was charged.",
  ],
  enrolment_over: [409, 'This took too long. Please begin again.'],
  factors_full: [409, 'You have as many second factors as an account can hold. Please remove one first.'],
  no_factor: [409, 'There is no second factor.'],
  no_factor_reset: [409, "There's no longer a reset to stop."],
  other_account: [409, 'This browser is now signed in to another account. Please check before you continue.'],
  conflict: [409, 'This was changed by someone else. Please try again.'],
  clock_fixed: [409, 'The clock cannot be moved while real Stripe keys are in use.'],
  second_team: [409, 'You already have a team.'],
  in_team: [409, 'You are already a member of a team.'],
  already_team_member: [409, 'This person is already a member of your team.'],
  in_other_team: [409, 'You are already a member of another team.'],
  team_full: [409, 'This team is full. Please ask its owner to make room.'],
  team_closed: [409, 'This team was closed.'],
  new_owner_has_team: [409, 'This member already owns another team.'],
  new_owner_unavailable: [
    409,
    'This member can’t take over the team at the moment. Choose somebody else, or contact support.',
  ],
  invitation_over: [409, 'This invitation is no longer open.'],
  invitation_expired: [409, 'This invitation has expired. Please ask for a new one.'],
  owns_team: [409, 'Please hand over or close your team before you close your account.'],
  owns_tool: [409, 'A tool of yours is published. Please write to us before you close your account.'],
  already_suspended: [409, 'This user is suspended already.'],
  not_suspended: [409, 'This user is not suspended.'],
  suspends_self: [409, 'You cannot suspend yourself. Please ask another administrator.'],
  last_admin_stays: [409, 'This is the only administrator who can still sign in.'],
  last_admin: [409, 'You are the only administrator, so your account cannot be closed.'],
  setup_done: [409, 'An administrator account already exists.'],
  already_free: [409, 'This user already has free access.'],
  not_free: [409, 'This user does not have free access.'],
  api_key_needs_access: [409, 'The user needs an active subscription to this tool.'],
  incident_settled: [409, 'This incident is already settled or being replayed.'],
  email_link_invalid: [400, 'This link has expired, was already used, or was replaced by a newer one.'],
  token_invalid: [400, 'Invalid or expired verification token'],
  unsubscribe_invalid: [400, 'Invalid or expired unsubscribe link'],
  reset_token_invalid: [400, 'Invalid or expired reset token'],
  payload_too_large: [413, 'The request is too large.'],
  unsupported_media_type: [415, 'The request must be application/json.'],
  rate_limited: [429, 'Too many attempts. Please try again later.'],
  internal: [500, 'Something went wrong on our side. Please try again.'],
  payment_provider_unavailable: [503, "Stripe isn't responding. Please try again."],
  busy: [503, 'The service is busy. Please try again in a moment.'],
  ...adminRefusals,
  ...purchaseRefusals,
} as const satisfies Record<string, readonly [number, string]>;

/** The sentence of `rate_limited` where it is known when the limit ends. */
export function tryAgainIn(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.ceil(seconds / 3600);
  const wait = minutes > 90 ? `${hours} hours` : minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `Too many attempts. Please try again in ${wait}.`;
}

export type ErrorCode = keyof typeof errors;

/** The body of every error answer. */
export type ErrorBody = {
  code: ErrorCode;
  message: string;
  fields?: Record<string, string>;
  requestId: string;
  /** To a tool's server, as OAuth libraries read it (RFC 6749). */
  error?: 'invalid_client' | 'invalid_request';
};
