type Values = Record<string, unknown> | null;
/** The row, for sentences that depend on it. */
export type Told = { actor: string | null; before: Values; after: Values };

export const freeMonthsIn = (values: Values) => (values?.['months'] === 1 ? 'a free month' : '{months} free months');

/** What was asked for, by the kind of act: of those that a second administrator approves or that can be undone. */
const asked = (after: Values): Record<string, string> => ({
  free_access: 'give {whom} free access',
  make_admin: 'make {whom} an administrator',
  change_email: 'change the email address of {whom}',
  set_password: 'set the password of {whom}',
  refund: 'refund {whom} {amountCents} of invoice {invoice}',
  free_months: `give {whom} ${freeMonthsIn(after)} of {tools}`,
});
export const askedIn = ({ after }: Told) => asked(after)[String(after?.['kind'])] ?? 'do something for {whom}';
