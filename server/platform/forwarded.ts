import type { RequestHandler } from 'express';

const withoutPort = (entry: string) =>
  entry
    .trim()
    .replace(/^\[([\da-f:.]+)\](?::\d+)?$/i, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

/** Some proxies (Azure's, AWS's on demand) add the port to the addresses of `X-Forwarded-For`, which would make each request another caller. */
export const forwardedWithoutPorts: RequestHandler = (req, _res, next) => {
  const given = req.headers['x-forwarded-for'];
  if (given !== undefined) req.headers['x-forwarded-for'] = String(given).split(',').map(withoutPort).join(', ');
  next();
};
