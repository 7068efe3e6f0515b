/** What the package is given by whoever starts it. */
export type Keys = { secret: string; publishable: string; webhook: string };

type Write = (about: object, message: string) => void;
export type Log = { debug: Write; warn: Write; error: Write };
