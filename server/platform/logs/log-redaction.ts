const REDACTED = '[Redacted]';
const MAX_DEPTH = 6;
const MAX_ITEMS = 100;

const secretName = /passw|secret|token|cookie|authorization|csrf|api[-_]?key/i;
/** Secrets, and what people type to find somebody or something. */
const maskedParameters = ['token', 'auth_token', '_csrf', 'search', 'subject', 'q'];

/** Masks secrets within a text: query values, passwords in connection strings, Stripe keys. */
export function maskText(text: string): string {
  return text
    .replace(/\b(token|auth_token|_csrf|password|client_secret)=[^&\s"'\\]+/gi, `$1=${REDACTED}`)
    .replace(/(\w:\/\/[^:@\s/"\\]+):[^@\s/"\\]+@/g, `$1:${REDACTED}@`)
    .replace(/\b(sk|rk|whsec)_\w{8,}/g, `$1_${REDACTED}`);
}

/** Masks secrets in a finished JSON line, without the parameters that the database driver writes into its messages. */
export function maskLine(line: string): string {
  return maskText(line.replace(/\\nparams: (?:[^"\\]|\\.)*/g, ''));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A URL for the log, with tokens and searches masked, also those of an address in it, and anything else that looks like one of our tokens. */
export function maskUrl(url: string): string {
  const [address = '', ...rest] = url.split('?');
  const query = rest.join('?');
  const path = address.replace(/[\w-]{43,}/g, REDACTED);
  if (!query) return path;
  const parts = query.split('&').map((part) => {
    const name = part.split('=', 1)[0] ?? '';
    const key = decoded(name).toLowerCase();
    if (maskedParameters.some((p) => key === p || key.startsWith(`${p}[`))) return `${name}=${REDACTED}`;
    const inner = decoded(part.slice(name.length + 1));
    return inner.includes('?') ? `${name}=${encodeURIComponent(maskUrl(inner))}` : part;
  });
  return `${path}?${parts.join('&').replace(/[\w-]{43,}/g, REDACTED)}`;
}

/** An error for the log, reduced to an allow-list, since drivers add parameters, rows and headers to theirs. */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return maskDeep(error);
  const { code, status, constraint, table, cause } = error as Error & Record<string, unknown>;
  const message = error.message.replace(/\nparams:[^]*$/, '');
  return {
    type: error.name,
    message: maskText(message),
    stack: maskText((error.stack ?? '').replace(error.message, () => message)),
    ...Object.fromEntries(
      Object.entries({ code, status, constraint, table }).filter(([, value]) => value !== undefined),
    ),
    ...(cause !== undefined && depth < MAX_DEPTH ? { cause: describeError(cause, depth + 1) } : {}),
  };
}

/** A copy in which the value of every field with a secret's name, at any depth, is masked. */
export function maskDeep(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return describeError(value, depth);
  if ('toJSON' in value) return value;
  if (depth >= MAX_DEPTH) return '[Deep]';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => maskDeep(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, secretName.test(name) ? REDACTED : maskDeep(item, depth + 1)]),
  );
}
