type Words = { title: string; nextStep: string };

const dispute: Words = {
  title: 'Payment disputed',
  nextStep: 'It leaves this list once it is decided.',
};
const event: Words = {
  title: 'Payment event not processed',
  nextStep: 'Replay it. If it fails again, compare the subscription at Stripe with the person’s page.',
};

/** What it means that a job was given up, and what to do; jobs not listed here go by their name. */
const jobs: Record<string, Words> = {
  'mirror-bill': {
    title: 'Coming bill at Stripe differs from ours',
    nextStep: 'Compare the next bill on the person’s or team’s page with the subscription at Stripe, then replay.',
  },
  'settle-bill': {
    title: 'Invoice differs from the bill',
    nextStep:
      'Compare Stripe’s invoice with the bill on the person’s or team’s page, then replay. If too much was charged, refund it; then mark this as settled.',
  },
  'tell-bill': {
    title: 'Payer not told of a dearer bill',
    nextStep: 'Replay it: the email is sent once. What a payer was told is on their page.',
  },
  'check-stripe-account': {
    title: 'Stripe account differs from what is needed',
    nextStep: 'Run npm run stripe:setup -- --check on the server, mend what it names, then replay.',
  },
  'finish-act': {
    title: 'An administrator’s act not finished',
    nextStep:
      'Replay it: what Stripe has done is not done again. If it fails again, see at Stripe what came of it, then mark this as settled: until then, nobody else can act on the same.',
  },
  'carry-out-approval': {
    title: 'What was approved not carried out',
    nextStep: 'Replay it: what Stripe has done is not done again.',
  },
  'follow-suspension': {
    title: 'Charges of a suspended person not paused',
    nextStep: 'Replay it. If it fails again, look at the person’s next bill: its lines must be $0.00.',
  },
  'customer-details': {
    title: 'Customer details not passed on to Stripe',
    nextStep: 'Replay it. Until then, Stripe’s receipts may have an older name or address.',
  },
  'spread-card': {
    title: 'New card not in use everywhere',
    nextStep: 'Replay it. Until then, an older card may be charged.',
  },
  'erase-customer': {
    title: 'Closed account not erased at Stripe',
    nextStep: 'Replay it. If it fails again, erase the customer at Stripe.',
  },
  'tell-tools': {
    title: 'Tools not told of ended access',
    nextStep: 'Replay it. Rights are checked at each launch in any case.',
  },
  'tell-recall': {
    title: 'People not told of a recall',
    nextStep: 'Replay it at once: whoever was told is not told again.',
  },
  'confirm-erasure': {
    title: 'Erasure not confirmed by a tool',
    nextStep: 'Ask the maker of the tool. Replay sends it again; if they told you otherwise, confirm it for them.',
  },
  'deliver-mail': {
    title: 'Email given up after three days',
    nextStep: 'Check the mail server, then replay: the email is sent.',
  },
  'deliver-mail-with-files': {
    title: 'Email given up after three days',
    nextStep: 'Check the mail server, then replay: the email is sent.',
  },
  'cookie-lost': {
    title: 'Pages are loaded over http',
    nextStep:
      'Have the balancer redirect http to https, and take X-Forwarded-Proto from nobody; then mark this as settled.',
  },
  'mail-waits': {
    title: 'Email isn’t going out',
    nextStep: 'Check the mail server and SMTP_URL. Emails are tried again by themselves, for three days.',
  },
  'mail-refused': {
    title: 'Email refused by the receiver',
    nextStep:
      'Ask the person for another address and have it changed; then mark this as settled. The email can’t be sent again.',
  },
};

export const wordsOfEvent = (type: string): Words => (type.startsWith('charge.dispute.') ? dispute : event);
export const wordsOfJob = (name: string): Words =>
  jobs[name] ?? {
    title: `Job ${name} failed`,
    nextStep: 'Mend what the error names, then replay. The runbook says what each job does.',
  };

/** Trying these again may not mend them: a person does, and marks them as settled. */
export const isSettledByHand = (name: string) =>
  ['settle-bill', 'mail-refused', 'finish-act', 'cookie-lost'].includes(name);
