import { expect, it } from 'vitest';
import { isWithin, parseNetworks } from './networks.ts';

const list = '203.0.113.0/24, 198.51.100.7 2001:db8:a::/48';

it.each([
  ['203.0.113.255', true],
  ['::ffff:203.0.113.9', true],
  ['203.0.114.1', false],
  ['198.51.100.7', true],
  ['198.51.100.8', false],
  ['2001:db8:a:1::9', true],
  ['2001:db8:b::1', false],
  ['fe80::1%eth0', false],
  ['', false],
  [undefined, false],
])('%s is within %s', (ip, within) => expect(isWithin(parseNetworks(list)!, ip)).toBe(within));

it.each(['office', '203.0.113.0/33', '2001:db8::/129', '203.0.113.0/', '203.0.113.0/24/8', '203.0.113', ',', ''])(
  '“%s” is no list of networks',
  (text) => expect(parseNetworks(text)).toBeNull(),
);
