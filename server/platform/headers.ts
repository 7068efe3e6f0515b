import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Env } from './env.ts';

const self = "'self'";
const none = "'none'";

/**
 * Security headers. The policy has no inline scripts; the provider's origins are allowed only when Stripe is real. In
 * development Vite's own client needs inline scripts and a socket, so the script rule is left out there.
 */
export function securityHeaders(env: Env): RequestHandler[] {
  const stripe = env.stripe !== null;
  const development = env.mode === 'development';
  const policy = {
    'default-src': [self],
    'script-src': [self, ...(stripe ? ['https://js.stripe.com'] : []), ...(development ? ["'unsafe-inline'"] : [])],
    // Radix locks the page's scroll with a style element of its own.
    'style-src': [self, "'unsafe-inline'"],
    'img-src': [self, 'data:', 'https:'],
    'font-src': [self],
    'connect-src': [self, ...(stripe ? ['https://api.stripe.com'] : []), ...(development ? ['ws:'] : [])],
    'frame-src': stripe ? ['https://js.stripe.com', 'https://hooks.stripe.com'] : [none],
    'object-src': [none],
    'base-uri': [none],
    'form-action': [self],
    'frame-ancestors': [none],
  };
  const secure = env.appUrl.startsWith('https:');
  const pages = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { ...policy, ...(secure && { 'upgrade-insecure-requests': [] }) },
    },
    strictTransportSecurity: secure && { maxAge: 63_072_000, includeSubDomains: true },
    // The window of a launched tool is ours to open and not to read.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
  return [pages];
}

/**
 * Answers of the API are data: nothing in them may run, be framed or be kept. Helmet's headers for pages mean nothing
 * here and cost every call a tenth, so these are all.
 */
export function apiHeaders(env: Env): RequestHandler {
  const headers = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(env.appUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  };
  return (_req, res, next) => {
    res.set(headers);
    next();
  };
}
