/** What each figure means, in the page's own words. */
export const definitions = {
  mrr: 'Monthly recurring revenue is what all subscriptions that will renew cost for one month, GST included, at the end of the month. Trials, cancelled subscriptions and those with automatic renewal off count nothing; one whose renewal failed counts until its grace period is over, and a paused one keeps counting.',
  movements:
    'New is a first paid month of a tool for an adviser or team. Expanded and contracted: a continuing subscription now costs more or less, because of members, discounts or offers. Churned: a subscription was cancelled, expired or became free. Reactivated: a subscription is paid again after it had stopped.',
  moved:
    'A payer may change plans, such as an adviser who joins the partner group. Their revenue then moves from one plan to the other. The change is the sum of the columns before it.',
  trials:
    'Started counts trials in the month they began; converted counts trials in the month they became a paid subscription. A win-back is an expired subscription that came back with an offer and was paid.',
  payments:
    'Failed counts renewals, and first charges after a trial, that the card refused. Recovered were paid after all; lost were given up, by cancelling or when the grace period ended. A bill of several tools is one payment, of each of its tools and of all together; its amount is a month of each tool.',
  revenue:
    'Invoiced is every invoice in the month of its issue, GST included, whether paid yet or not; voided invoices count nothing. Adjusted is every adjustment note in the month of its issue. Revenue is invoiced less adjusted; net of GST, it is less the GST.',
  gst: 'GST is the amount on the invoices less the amount on the adjustment notes, as Stripe worked it out, by the date of issue in Sydney (the accruals basis), for all tools and plans.',
  cohorts:
    'A row counts the subscriptions first paid in that month. The columns show how many are still paid at the end of that month, and of each month after it.',
} as const;
