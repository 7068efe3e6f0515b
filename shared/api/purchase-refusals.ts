/** Purchase errors that the checkout shows before it asks: code → [HTTP status, sentence], as in errors.ts, which the browser doesn't download. */
export const purchaseRefusals = {
  email_unverified: [403, 'Please verify your email address before starting a free trial.'],
  tool_not_found: [404, 'We couldn’t find that tool.'],
  already_subscribed: [409, 'You are already subscribed to this tool.'],
  lost_money_gate: [409, 'Lost-Money.ai is free with any other subscription. Please subscribe to another tool first.'],
  tool_not_allowed: [403, 'Your practice doesn’t allow this tool. Your dashboard says why.'],
  tool_closed: [409, 'This tool is closed to new subscribers. Those who have it keep it.'],
  coming_soon: [409, 'This tool is coming soon.'],
} as const;
