/** Why a server does not start, in a sentence for its operator. */
export class CannotStart extends Error {}
