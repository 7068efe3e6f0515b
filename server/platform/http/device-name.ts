/** First match wins: Edge, Opera and Samsung's browser call themselves Chrome too, and Chrome calls itself Safari. */
const browsers: [string, RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const systems: [string, RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const unknown = 'Unknown device';
const find = (list: [string, RegExp][], text: string) => list.find(([, pattern]) => pattern.test(text))?.[0];

/** A browser's own description as people read it, such as `Firefox on Windows`. */
export function deviceName(userAgent: string | null): string {
  const browser = find(browsers, userAgent ?? '');
  const system = find(systems, userAgent ?? '');
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? unknown;
}

/** In a sentence: `with Firefox on Windows`, `with an unknown device`. */
export const deviceInWords = (name: string) => (name === unknown ? 'an unknown device' : name);
