// @ts-check
/** What is examined, in the order of the report. */
export const checks = {
  answers: 'The tool answers a launch',
  encrypted: 'The tool’s addresses are encrypted',
  exchanged: 'The token is exchanged',
  opened: 'The session opens and shows the adviser',
  shown: 'A browser shows the page, and does not save it as a file',
  escaped: 'A name is text on the page, never markup',
  kept: 'A browser keeps the session’s cookie and sends it back',
  address: 'The token leaves the address',
  elsewhere: 'The token goes to no other site',
  person: 'The adviser’s name and email address go to no other site',
  written: 'The token is in no page, header or cookie',
  secrets: 'The tool’s secrets are in no page or script',
  cache: 'Nobody’s cache keeps the adviser’s page',
  readable: 'Other sites can’t read the adviser’s page',
  httpOnly: 'Scripts can’t read the session’s cookie',
  sameSite: 'Other sites can’t use the session’s cookie',
  secure: 'The session’s cookie goes over https only',
  domain: 'The session’s cookie goes to the tool’s host only',
  lifetime: 'The session’s cookie lives a working day at most',
  expires: 'A session ends by itself after a working day',
  framed: 'Other sites can’t show the adviser’s page in a frame',
  guess: 'The session’s cookie can’t be guessed',
  forge: 'A changed cookie opens nothing',
  none: 'Without a token nothing opens',
  used: 'A used link opens nothing',
  steps: 'No address on the way opens the session in another browser',
  madeUp: 'A made-up token opens nothing, and is no fault',
  markup: 'What comes as a token is never markup',
  foreign: 'Another tool’s token opens nothing',
  expired: 'An expired token opens nothing',
  redirect: 'The tool sends nobody to an address that a stranger chose',
  fixation: 'A cookie from before the launch opens nothing after it',
  next: 'The next adviser at the same browser gets a session of their own',
  others: 'Two advisers at a time each see their own page',
  link: 'A link does not finish the session',
  finish: 'The session can be finished',
  guarded: 'Nobody finishes or reports without a session',
  reported: 'Usage is reported',
  each: 'Each session is reported under its own id',
  refused: 'No report is refused',
  once: 'Work is reported once',
  length: 'Reports say how long the work took, in seconds',
  obeyed: 'A session ends when the answer to a report says so',
  forged: 'A forged event is refused',
  old: 'An old event is refused, and one of the future',
  taken: 'An event that we signed is taken',
  ended: 'An event that says so ends the session',
  apart: 'An event about one adviser ends nobody else’s session',
  again: 'An adviser whose access returns gets in again',
  kinds: 'Each kind of event that ends access ends the session',
  unheard: 'An event of a kind that the tool does not know is taken',
  repeated: 'An event that comes twice is taken twice, and does no harm',
  rotated: 'An event is taken while two secrets sign it',
  bytes: 'The signature is compared with the bytes that came',
  erased: 'A demand to erase a person is taken and confirmed',
};

/** @typedef {keyof typeof checks} CheckId */

/** They need an address that finishes a session. */
const finishing = new Set(['finish', 'link', 'guarded', 'each', 'length', 'obeyed']);

/** The checks made of a tool. @param {boolean} finishes @returns {CheckId[]} */
export const checksFor = (finishes) =>
  /** @type {CheckId[]} */ (Object.keys(checks)).filter((id) => finishes || !finishing.has(id));
