import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Env } from '../env.ts';

const self = "'self'";
const none = "'none'";

/**
 * What Stripe's integration security guide asks for (docs.stripe.com/security/guide): frames and scripts start on varying
 * subdomains. Left out are the hosts of Link, which is off, and of Google Maps, which only the address form uses.
 */
const stripeHosts = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
};

/**
 * Security headers for pages. Stripe's origins are allowed only where the real Stripe is used. Inline scripts are forbidden,
 * except in development, where Vite's client needs them and a socket.
 */
export function securityHeaders(env: Env): RequestHandler[] {
  const stripe = env.stripe !== null;
  const development = env.mode === 'development';
  const policy = {
    'default-src': [self],
    'script-src': [self, ...(stripe ? stripeHosts.script : []), ...(development ? ["'unsafe-inline'"] : [])],
    // Radix locks the page's scrolling with a style element.
    'style-src': [self, "'unsafe-inline'"],
    'img-src': [self, 'data:', 'https:'],
    'font-src': [self],
    'connect-src': [self, ...(stripe ? stripeHosts.connect : []), ...(development ? ['ws:'] : [])],
    'frame-src': stripe ? stripeHosts.frame : [none],
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
    // We open a tool in a window of its own, which we must not be able to read.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
  // On assets, Helmet's headers would be a tenth of what a slow line carries before the first paint.
  const assets = setHeaders(bareHeaders(env));
  return [(req, res, next) => (req.path.startsWith('/assets/') ? assets : pages)(req, res, next)];
}

/** For answers that may not be run as a page or framed. */
const bareHeaders = (env: Env) => ({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  ...(env.appUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
});

function setHeaders(headers: Record<string, string>): RequestHandler {
  const all = new Map(Object.entries(headers));
  return (_req, res, next) => {
    res.setHeaders(all);
    next();
  };
}

/**
 * Headers for the API's answers, which may not be run, framed or cached. Helmet's other headers only matter for pages, and would
 * make every call a tenth slower.
 */
export const apiHeaders = (env: Env) =>
  setHeaders({ ...bareHeaders(env), 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
