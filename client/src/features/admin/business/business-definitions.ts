/** What each figure means, in the page's own words. */
export const definitions = {
  mrr: 'Monthly recurring revenue is what all subscriptions that will renew cost for one month, GST included, at the end of the month. Trials, cancelled subscriptions and those with auto-renew off don’t count; one whose renewal failed counts until its grace period is over, and a paused one keeps counting.',
  movements:
    'New is a first paid month of a tool for an adviser or team. Added and reduced: a continuing subscription now costs more or less, because of members, discounts or offers. Cancelled: a subscription was cancelled, expired or became free. Came back: a subscription is paid again after it had stopped.',
  moved: 'Changed plan: a customer moved to another plan, such as the partner’s.',
  trials:
    'Started counts trials in the month they began; converted counts trials in the month they became a paid subscription. A win-back is an expired subscription that came back with an offer and was paid.',
  payments:
    'Failed counts renewals, and first charges after a trial, that the card refused. Recovered were paid after all; lost were given up, by cancelling or when the grace period ended. A bill of several tools is one payment, of each of its tools and of all together; its amount is a month of each tool.',
  revenue:
    'Invoiced is every invoice in the month of its issue, GST included, whether paid yet or not; withdrawn invoices don’t count. Adjusted is every adjustment note in the month of its issue. Revenue is invoiced less adjusted; without GST, it is less the GST.',
  gst: 'Accruals basis, by invoice date in Sydney. All tools and plans. GST is rounded on each line of an invoice.',
  cohorts:
    'A row counts the subscriptions first paid in that month. The columns show how many are still paid at the end of that month, and of each month after it.',
} as const;
