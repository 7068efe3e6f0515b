/** Why something of a person stays when their account is closed, and for how long. */
export type Keep = { keep: string; until: string };

export const forGood = 'for good';
const bySevenYears = 'at least seven years, by tax and company law';
export const identity: Keep = {
  keep: 'other rows refer to it, and without the name it leads to nobody',
  until: forGood,
};
export const use: Keep = { keep: 'the use of the tools is counted, without a name', until: forGood };
export const purchase: Keep = { keep: 'what was bought, when, and for how much', until: bySevenYears };
export const taxInvoice: Keep = { keep: 'a tax invoice stays as it was issued, with its buyer', until: bySevenYears };
export const evidence: Keep = { keep: 'shows later who did what; people are named by id only', until: forGood };
export const token: Keep = {
  keep: 'a hash that opens nothing any more; sessions with tools refer to it',
  until: forGood,
};
export const trial: Keep = { keep: 'a trial is once per person; the address is stored as a hash', until: forGood };
export const endedSession: Keep = {
  keep: 'keeps a late request from reviving the session',
  until: 'a day after it would have expired',
};
export const toStripe: Keep = {
  keep: 'leads to the invoices at Stripe, where the customer is erased too',
  until: bySevenYears,
};
export const colleagues: Keep = {
  keep: 'what other people were told, such as who joined their team',
  until: 'a notice 13 months; the text of a mail until it is sent, its subject for good',
};
export const inviter: Keep = { keep: 'who invited a colleague stays known, by id', until: forGood };
export const practiceRecord: Keep = {
  keep: 'the practice’s record of AI use: what was stated of sessions opened through its subscription, by id only',
  until: 'seven years',
};
export const decision: Keep = {
  keep: 'the practice’s decision about a tool; who decided is named by id only',
  until: forGood,
};
export const disclosure: Keep = {
  keep: 'what a maker said of a tool, on which others relied; by id only',
  until: forGood,
};
export const tool: Keep = { keep: 'a tool goes on without its maker', until: 'it is withdrawn' };
export const toBeTold: Keep = { keep: 'the tools that have to be told', until: 'they are, at once' };
export const toldTool: Keep = {
  keep: 'what a tool was told, such as to erase the person; by id only',
  until: 'a year after it was told',
};
export const madeUp: Keep = { keep: 'a made-up person', until: forGood };
