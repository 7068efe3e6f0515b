import { BlockList, isIP } from 'node:net';
import type { RequestHandler } from 'express';

const kinds = { 4: { family: 'ipv4', bits: 32 }, 6: { family: 'ipv6', bits: 128 } } as const;
const kindOf = (address: string) => kinds[isIP(address) as 4 | 6] ?? null;

/** `203.0.113.0/24, 2001:db8::/32, 198.51.100.7`; null if a part is not a network, or there are none. */
export function parseNetworks(text: string): BlockList | null {
  const networks = new BlockList();
  const parts = text.split(/[\s,]+/).filter(Boolean);
  for (const part of parts) {
    const [, address = '', typed] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(part) ?? [];
    const kind = kindOf(address);
    const bits = typed === undefined ? kind?.bits : Number(typed);
    if (!kind || bits === undefined || bits > kind.bits) return null;
    networks.addSubnet(address, bits, kind.family);
  }
  return parts.length > 0 ? networks : null;
}

const withoutPort = (entry: string) =>
  entry
    .trim()
    .replace(/^\[([\da-f:.]+)\](?::\d+)?$/i, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

/** Some proxies (Azure's; AWS's on demand) add ports to `X-Forwarded-For`, which would make each request look like another caller. */
export const forwardedWithoutPorts: RequestHandler = (req, _res, next) => {
  const given = req.headers['x-forwarded-for'];
  if (given !== undefined) req.headers['x-forwarded-for'] = String(given).split(',').map(withoutPort).join(', ');
  next();
};

/** Whether an address is in one of these networks; IPv4 may be written as IPv6. */
export function isWithin(networks: BlockList, ip: string | undefined): boolean {
  const address = (ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  const kind = kindOf(address);
  return kind !== null && networks.check(address, kind.family);
}
