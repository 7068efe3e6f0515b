import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isWithin, parseNetworks } from './networks.ts';

/** Addresses that lead into our own network, or nowhere: nobody outside may make us call them. */
const privateNetworks = parseNetworks(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16
   198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
   ::/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10
   fec0::/10 ff00::/8`,
)!;
export const isPublic = (ip: string) => isIP(ip) !== 0 && !isWithin(privateNetworks, ip);

const notPublic = () => new Error('the address is not a public one, or there is no such host');

/** We connect to the very addresses checked here, so that a name can't resolve to something else in between. */
export const publicLookup: LookupFunction = (hostname, options, callback) =>
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    // Alike for a name that leads nowhere: nobody is to learn which names there are in our own network.
    const fault = error || !addresses.every(({ address }) => isPublic(address)) ? notPublic() : null;
    const [first] = addresses ?? [];
    if (fault || !first) callback(fault ?? notPublic(), '', 0);
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });

type Post = {
  headers: Record<string, string>;
  body: string;
  deadlineMs: number;
  /** Whether to refuse addresses inside our own network. */
  publicOnly: boolean;
};

/** Posts to an address that somebody else chose; returns the status. Follows no redirect, reads no body, waits no longer than told. */
export function postOut(address: string, { headers, body, deadlineMs, publicOnly }: Post): Promise<number> {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (publicOnly && isIP(host) !== 0 && !isPublic(host)) return Promise.reject(notPublic());
  const signal = AbortSignal.timeout(deadlineMs);
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal,
        ...(publicOnly && { lookup: publicLookup }),
      },
      (answer) => {
        resolve(answer.statusCode ?? 0);
        answer.destroy();
      },
    );
    call.on('error', (error) => reject(signal.aborted ? new Error(`no answer within ${deadlineMs / 1000} s`) : error));
    call.end(body);
  });
}
