type Values = Record<string, unknown> | null;
type Told = { actor: string | null; whose?: string | null; before: Values; after: Values };

export type Words = readonly [label: string, sentence: string | ((row: Told) => string)];

const freeMonthsIn = (values: Values) => (values?.['months'] === 1 ? 'a free month' : '{months} free months');

/** What was asked for, by the kind of act: of those that a second administrator approves or that can be undone. */
const asked = (after: Values): Record<string, string> => ({
  free_access: 'give {whom} free access',
  make_admin: 'make {whom} an administrator',
  change_email: 'change the email address of {whom}',
  set_password: 'set the password of {whom}',
  refund: 'refund {whom} {amountCents} of invoice {invoice}',
  free_months: `give {whom} ${freeMonthsIn(after)} of {tools}`,
});
const askedIn = ({ after }: Told) => asked(after)[String(after?.['kind'])] ?? 'do something for {whom}';

/**
 * Every kind of audit row: its label in a list, and its sentence. {who} did it, {whom} is whom or what it was done to, {account} the
 * account it was tried on, {from} device and address, {whose} the payer’s; any other name is a value in `after`, {was.…} one in `before`.
 */
export const kinds = {
  'account.registered': ['Account made', '{who} made an account{from}'],
  'account.admin_created': ['First administrator', '{who} became the first administrator{from}'],
  'account.signed_in': [
    'Signed in',
    ({ after }) =>
      `{who} signed in${after?.['provider'] ? ' through {provider}' : ''}{from}${after?.['knownDevice'] === false ? ', a new device' : ''}`,
  ],
  'account.sign_in_failed': ['Wrong password', 'Somebody gave a wrong password for {account}{from}'],
  'account.sign_in_throttled': [
    'Sign-in stopped',
    'Sign-ins to {account} were stopped after too many wrong passwords{from}',
  ],
  'account.sign_in_refused': ['Sign-in refused', 'A sign-in to {account} was refused, since it was suspended{from}'],
  'account.signed_out': ['Signed out', '{who} signed out{from}'],
  'account.session_ended': ['Session ended', '{who} signed out another of their devices'],
  'account.email_verified': ['Address verified', '{who} verified their email address'],
  'account.email_change_asked': ['Change of address asked for', '{who} asked to change their email address{from}'],
  'account.email_change_cancelled': ['Change of address given up', '{who} gave up a change of their email address'],
  'account.email_changed': ['Address changed', '{who} changed their email address{from}'],
  'account.email_change_undone': ['Change of address undone', '{who} undid a change of their email address'],
  'account.password_changed': ['Password changed', '{who} changed their password{from}'],
  'account.password_reset': ['Password set by a link', '{who} set a new password by an emailed link{from}'],
  'account.api_key_revoked': ['Own API key revoked', '{who} revoked their API key to {toolId}'],
  'account.closed': ['Account closed', '{who} closed their account'],
  'account.factor_added': ['Verification method added', '{who} added a verification method{from}'],
  'account.identity_connected': [
    'Microsoft or Google connected',
    '{who} connected a Microsoft or Google account{from}',
  ],
  'account.identity_disconnected': [
    'Microsoft or Google disconnected',
    '{who} disconnected a Microsoft or Google account{from}',
  ],
  'account.factor_removed': ['Verification method removed', '{who} removed a verification method{from}'],
  'account.recovery_codes_renewed': ['Recovery codes renewed', '{who} renewed their recovery codes{from}'],
  'account.recovery_code_used': [
    'Recovery code used',
    '{who} used a recovery code in place of two-step verification{from}',
  ],
  'account.factor_reset_stopped': [
    'Reset of verification methods stopped',
    '{who} stopped the reset of their verification methods',
  ],
  'account.factors_reset': [
    'Verification methods reset',
    'The verification methods of {whom} were removed, a day after an administrator asked for it',
  ],
  'admin.password_reset': ['Password set by administrator', '{who} set a new password for {whom}'],
  'admin.factor_reset_requested': [
    'Reset of verification methods asked for',
    '{who} asked to remove the verification methods of {whom} in a day',
  ],
  'admin.user_suspended': ['User suspended', '{who} suspended {whom}, and charges {charges}: “{reason}”'],
  'admin.user_reinstated': ['User reinstated', '{who} let {whom} in again after a suspension: “{reason}”'],
  'admin.sessions_ended': ['Sessions ended by administrator', '{who} signed {whom} out everywhere: “{reason}”'],
  'admin.password_change_demanded': ['New password required', '{who} asked {whom} for a new password: “{reason}”'],
  'admin.free_access_granted': ['Free access granted', '{who} gave {whom} free access'],
  'admin.free_access_revoked': ['Free access ended', '{who} ended the free access of {whom}'],
  'admin.free_months_given': [
    'Free months given',
    ({ after }) => `{who} gave {whom} ${freeMonthsIn(after)} of {tools}: “{reason}”`,
  ],
  'admin.free_months_taken_back': [
    'Free months taken back',
    ({ after }) => `{who} took back ${freeMonthsIn(after)} of {tools} from {whom}: “{reason}”`,
  ],
  'admin.approval_asked': [
    'Second administrator asked',
    (row) => `{who} asked a second administrator to ${askedIn(row)}: “{reason}”`,
  ],
  'admin.approval_given': [
    'Approved by a second administrator',
    (row) => `{who} approved what {askedBy} asked, to ${askedIn(row)}: “{reason}”`,
  ],
  'admin.approval_refused': [
    'Refused by a second administrator',
    (row) => `{who} refused what {askedBy} asked, to ${askedIn(row)}: “{reason}”`,
  ],
  'admin.approval_withdrawn': [
    'Request taken back',
    (row) => `{who} took back the request to ${askedIn(row)}: “{reason}”`,
  ],
  'admin.approval_undone': ['Undone within a day', (row) => `{who} undid the decision to ${askedIn(row)}: “{reason}”`],
  'admin.administrator_made': ['Administrator made', '{who} made {whom} an administrator: “{reason}”'],
  'admin.administrator_removed': [
    'Administrator removed',
    '{who} ended the administrator’s rights of {whom}: “{reason}”',
  ],
  'admin.email_changed': ['Address changed by administrator', '{who} changed the email address of {whom}: “{reason}”'],
  'admin.email_change_undone': [
    'Address put back by administrator',
    '{who} put the email address of {whom} back: “{reason}”',
  ],
  'admin.verification_sent': ['Verification link sent', '{who} sent {whom} another verification link: “{reason}”'],
  'admin.reset_link_sent': ['Reset link sent', '{who} sent {whom} a link to choose a new password: “{reason}”'],
  'admin.trial_extended': [
    'Trial extended',
    '{who} extended the trial of {toolId} for {whom} from {was.trialEndDate} to {trialEndDate}: “{reason}”',
  ],
  'admin.subscription_cancelled': [
    'Subscription cancelled by administrator',
    '{who} cancelled {toolId} for {whom}, {when}: “{reason}”',
  ],
  'admin.refund_asked': [
    'Refund asked for',
    '{who} asked Stripe to refund {whom} {amountCents} of invoice {invoice}: “{reason}”',
  ],
  'admin.charge_retried': [
    'Charge retried',
    '{who} had {amountCents} of invoice {invoice} charged to the card of {whom}, which {outcome}: “{reason}”',
  ],
  'admin.invoice_voided': [
    'Invoice voided',
    '{who} withdrew invoice {invoice} of {whom}, of {amountCents}: “{reason}”',
  ],
  'admin.line_redacted': ['Closed team: line redacted', '{who} redacted a line of the closed team {whom}: “{reason}”'],
  'admin.reference_released': [
    'Closed team: client reference released',
    '{who} released a client reference of the closed team {whom}: “{reason}”',
  ],
  'admin.api_key_generated': [
    'API key made',
    '{who} made an API key to {toolId} for {whom}, which works until {expiresAt}',
  ],
  'admin.api_key_revoked': ['API key revoked', '{who} revoked an API key of {whom} to {toolId}'],
  'admin.incident_replayed': ['Incident replayed', '{who} had a failed {kind} tried again'],
  'admin.incident_settled': ['Incident settled', '{who} marked a failed {job} as settled: {reason}'],
  'team.created': ['Team made', '{who} made the team {whom}'],
  'team.renamed': ['Team renamed', '{who} renamed the team {was.name} to {name}'],
  'team.invited': ['Team: invited', '{who} invited somebody to the team {whom} as {role}'],
  'team.invitation_resent': ['Team: invitation sent again', '{who} sent an invitation to the team {whom} again'],
  'team.invitation_revoked': ['Team: invitation taken back', '{who} took back an invitation to the team {whom}'],
  'team.invitation_declined': ['Team: invitation declined', '{who} declined an invitation to the team {whom}'],
  'team.joined': ['Team: joined', '{who} joined the team {whom} as {role}'],
  'team.left': ['Team: left', '{who} left the team {whom}'],
  'team.member_removed': ['Team: member removed', '{who} removed {was.userId} from the team {whom}'],
  'team.role_changed': [
    'Team: role changed',
    '{who} changed the role of {userId} in the team {whom} from {was.role} to {role}',
  ],
  'team.tool_users_chosen': ['Team: who uses a tool', '{who} chose who uses {toolId} in the team {whom}'],
  'team.hand_over_offered': ['Team: hand-over asked', '{who} asked {userId} to take over the team {whom}'],
  'team.hand_over_ended': ['Team: hand-over given up', '{who} ended the hand-over of the team {whom}'],
  'team.handed_over': ['Team handed over', 'The team {whom} went from {was.ownerId} to {ownerId}'],
  'team.microsoft_demanded': [
    'Team: Microsoft sign-in asked for',
    ({ after }) =>
      after?.['microsoftTenant'] === null
        ? '{who} stopped asking the members of the team {whom} to sign in with its Microsoft account'
        : '{who} asked the members of the team {whom} to sign in with its Microsoft account',
  ],
  'team.factor_demanded': [
    'Team: two-step verification asked for',
    ({ after }) =>
      after?.['requiresFactor'] === false
        ? '{who} stopped asking the members of the team {whom} for two-step verification'
        : '{who} asked the members of the team {whom} for two-step verification',
  ],
  'record.pack_asked': ['Evidence pack asked for', '{who} asked for an evidence pack'],
  'team.tool_decided': [
    'Team: tool allowed or not',
    ({ after }) =>
      after?.['allowed'] === false
        ? '{who} stopped allowing {toolId} in the team {whom}'
        : `{who} ${after?.['allowed'] === true ? 'allowed' : 'decided about'} {toolId} in the team {whom}`,
  ],
  'team.tool_asked': ['Team: tool asked for', '{who} asked the team {whom} for {toolId}'],
  'team.ask_answered': ['Team: question answered', 'What {userId} asked the team {whom} for, {toolId}, was {outcome}'],
  'team.tool_listed': ['Team: tool from elsewhere listed', '{who} added {name} to the register of the team {whom}'],
  'team.new_tools_decided': [
    'Team: new tools allowed or not',
    ({ after }) =>
      after?.['newToolsAllowed'] === false
        ? '{who} chose to allow tools in the team {whom} one by one'
        : '{who} allowed every tool in the team {whom} unless decided otherwise',
  ],
  'team.review_rules_set': [
    'Team: rules for reviews',
    '{who} changed the rules for reviews of sessions in the team {whom}',
  ],
  'team.line_redacted': ['Team: line redacted', '{who} redacted a line in the record of the team {whom}: {reason}'],
  'team.sessions_signed_off': [
    'Team: sessions signed off',
    '{who} signed off {count} sessions in the record of the team {whom}',
  ],
  'team.reference_held': [
    'Team: client reference held',
    '{who} put a hold on a client reference in the record of the team {whom}',
  ],
  'team.reference_released': ['Team: client reference released', '{who} released a client reference of {whom}'],
  'team.tool_reviewed': ['Team: tool reviewed', '{who} reviewed {toolId} for the team {whom}'],
  'tool.change_announced': ['Tool: change announced', '{who} announced a change of the tool {whom}'],
  'tool.disclosed': ['Tool: due diligence supplied', '{who} added version {version} of the due diligence for {whom}'],
  'team.closed': ['Team closed', '{who} closed the team {whom}'],
  'subscription.adopted': [
    'Subscription found again',
    'A subscription of {whom} to {toolId} that Stripe billed and our records lacked was taken over',
  ],
  'subscription.changed': [
    'Subscription changed',
    ({ actor, whose, before, after }) => {
      const [was, is] = [before?.['status'] ?? 'none', after?.['status']];
      const subscription = whose ? '{whose} {toolId} subscription' : 'the subscription to {toolId}';
      if (is === 'active' && (was === 'none' || was === 'incomplete'))
        return actor === null ? `${subscription} began` : '{who} subscribed to {toolId}';
      if (was === 'none' && is === 'trial') return '{who} began a trial of {toolId}';
      if (is === 'cancelled' && actor !== null) return '{who} cancelled {toolId}';
      if (is === 'grace_period') return `${subscription} entered its grace period`;
      if (is === 'expired') return `${subscription} ${was === 'cancelled' ? 'can no longer be reactivated' : 'ended'}`;
      return `${actor === null ? `${subscription} went` : `{who} changed ${subscription}`} from {was.status} to {status}`;
    },
  ],
  'billing.card_changed': ['Card changed', '{who} changed the card that pays for {whom}'],
  'billing.bookkeeper_asked': ['Bookkeeper asked', '{who} asked an address to get copies of the invoices of {whom}'],
  'billing.bookkeeper_confirmed': ['Bookkeeper confirmed', 'An address agreed to get the invoices of {whom}'],
  'billing.bookkeeper_removed': ['Bookkeeper removed', 'Copies of the invoices of {whom} are no longer sent'],
  'billing.payment_disputed': ['Payment disputed', 'A payment of {amountCents} by {whom} was disputed at the bank'],
  'tool.price_proposed': ['Tool: price proposed', '{who} proposed {priceCents} a month for the tool {whom}'],
  'recall.opened': ['Recall opened', '{who} opened a recall of the tool {whom}'],
  'recall.confirmed': ['Recall confirmed', '{who} confirmed a recall of the tool {whom}, so that everybody is told'],
  'recall.changed': ['Recall changed', '{who} changed a recall of the tool {whom}: “{reason}”'],
  'recall.closed': ['Recall closed', '{who} closed a recall of the tool {whom}: “{reason}”'],
  'tool.registered': ['Tool: registered', '{who} registered the tool {whom}'],
  'tool.changed': ['Tool: changed by its maker', '{who} changed the tool {whom}'],
  'tool.own_secret_made': ['Tool: named secret made', '{who} made the secret “{name}” for {whom}'],
  'tool.own_secret_revoked': ['Tool: named secret revoked', '{who} revoked the secret “{was.name}” of {whom}'],
  'tool.publication_asked': ['Tool: publication asked for', '{who} asked to have the tool {whom} published'],
  'admin.tool_tried': ['Tool tried out', '{who} opened the tool {whom}, not published yet, as {name}'],
  'admin.tool_added': ['Tool added', '{who} added the tool {whom} for {priceCents} a month: “{reason}”'],
  'admin.tool_changed': ['Tool changed', '{who} changed {whom}: {changed}. “{reason}”'],
  'admin.tool_published': ['Tool published', '{who} published the tool {whom} for {basePrice} a month'],
  'admin.tool_promoted': ['Tool promoted', '{who} promoted the staging twin of {whom}, now at {domain}'],
  'admin.tool_refused': ['Tool refused', '{who} refused to publish the tool {whom}: “{reason}”'],
  'admin.tool_price_set': [
    'Price set',
    ({ after }) =>
      after?.['startsAt'] == null
        ? '{who} set the price of {whom} from {was.unitCents} to {unitCents} a month for new subscribers: “{reason}”'
        : '{who} set the price of {whom} from {was.unitCents} to {unitCents} a month, for those who have it from {startsAt}: “{reason}”',
  ],
  'admin.tool_price_withdrawn': [
    'Price taken back',
    '{who} took back the new price of {whom}, {was.unitCents} a month; it is {unitCents} again: “{reason}”',
  ],
  'admin.tiers_set': [
    'Bulk discounts set',
    ({ after }) =>
      after?.['startsAt'] == null
        ? '{who} changed the bulk discounts from “{was.tiers}” to “{tiers}”: “{reason}”'
        : '{who} changed the bulk discounts from “{was.tiers}” to “{tiers}”, from {startsAt} on: “{reason}”',
  ],
  'admin.tiers_withdrawn': [
    'Bulk discounts taken back',
    '{who} took back the coming bulk discounts “{was.tiers}”; what stands is “{tiers}”: “{reason}”',
  ],
  'admin.code_made': ['Discount code made', '{who} made the discount code {code}: {terms}. “{reason}”'],
  'admin.code_ended': ['Discount code ended', '{who} ended the discount code {code} early: “{reason}”'],
  'admin.tool_closed': ['Tool closed', '{who} closed the tool {whom} to new subscribers: “{reason}”'],
  'admin.tool_reopened': ['Tool reopened', '{who} opened the tool {whom} to new subscribers again: “{reason}”'],
  'admin.erasure_confirmed': [
    'Erasure confirmed',
    '{who} confirmed that {whom} erased a person on {erasedOn}: “{reason}”',
  ],
  'tool.domain_set': ['Tool: address set', 'An operator moved {whom} to {domain}'],
  'refused.too_many': ['Limit reached', '{who} ran into the limit of {call}{from}'],
  'refused.administrators_call': [
    'Administrators’ call refused',
    '{who} was refused {call}, a call for administrators{from}',
  ],
  'refused.administrators_network': [
    'Administrators’ network refused',
    '{who} was refused {call}, since administrators work from other networks{from}',
  ],
} as const satisfies Record<string, Words>;

export type AuditAction = keyof typeof kinds;
