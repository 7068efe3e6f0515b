import { BlockList, isIP } from 'node:net';

const kinds = { 4: { family: 'ipv4', bits: 32 }, 6: { family: 'ipv6', bits: 128 } } as const;
const kindOf = (address: string) => kinds[isIP(address) as 4 | 6] ?? null;

/** `203.0.113.0/24, 2001:db8::/32, 198.51.100.7`; null where a part is no network, or there is none. */
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

/** Whether an address, also an IPv4 one written as IPv6, is in one of these networks. */
export function isWithin(networks: BlockList, ip: string | undefined): boolean {
  const address = (ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  const kind = kindOf(address);
  return kind !== null && networks.check(address, kind.family);
}
