// @ts-check
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import zlib from 'node:zlib';

/**
 * One request, whatever the other side does.
 *
 * @typedef {{ patienceMs: number, ca?: string, lookup?: import('node:net').LookupFunction }} Limits
 * @typedef {{ status: number, headers: http.IncomingHttpHeaders, body: string, cut: boolean }} Answer
 */

/** Tells the check from people in a tool's logs. */
const userAgent = 'Mozilla/5.0 (compatible; Adviserly-Check/1)';

/** What a browser would show as "this site can't be reached", in a sentence. */
class Unreachable extends Error {}

const mostBytes = 2_000_000;

/** @type {Record<string, string>} */
const sentences = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNRESET: 'it hung up without an answer',
  EPIPE: 'it hung up without an answer',
  EPROTO: 'it does not speak TLS as a browser does; is it plain http?',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'browsers refuse its certificate: it is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'browsers refuse its certificate: it is signed by itself',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'browsers refuse its certificate: nobody they trust has signed it',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'browsers refuse its certificate: nobody they trust has signed it',
  CERT_HAS_EXPIRED: 'browsers refuse its certificate: it has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'browsers refuse its certificate: it is for another host',
};

/** @param {unknown} error */
export function sentenceOf(error) {
  const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (error instanceof Unreachable) return message;
  if (code.startsWith('HPE_')) return 'it answers something that is not HTTP';
  const known = sentences[code.startsWith('ERR_SSL') ? 'EPROTO' : code];
  return known ?? `it could not be reached: ${message}`;
}

/** Any name under localhost is this machine, as in browsers. @type {import('node:net').LookupFunction} */
const lookupLocal = (_host, options, done) =>
  options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);

/** @param {Buffer} bytes @param {string} encoding @returns {string | null} */
function unpack(bytes, encoding) {
  const options = { maxOutputLength: mostBytes };
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.gunzipSync(bytes, options).toString();
    if (encoding === 'deflate') return zlib.inflateSync(bytes, options).toString();
    if (encoding === 'br') return zlib.brotliDecompressSync(bytes, options).toString();
    return bytes.toString();
  } catch {
    return null;
  }
}

/** @typedef {{ method: string, headers: Record<string, string>, body?: string }} Asked */

/** @param {string} address @param {Asked} asked @param {Limits} limits @returns {Promise<Answer>} */
export async function ask(address, asked, limits) {
  const url = new URL(address);
  await refuseNumber(url, limits);
  return send(url, asked, limits);
}

/**
 * Node doesn't look up an address that is already a number, but `lookup`, which decides what may be called, has to see it before a
 * connection is begun.
 *
 * @param {URL} url @param {Limits} limits @returns {Promise<void>}
 */
const refuseNumber = ({ hostname }, { lookup }) =>
  new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    if (!lookup || isIP(host) === 0) resolve();
    else lookup(host, { all: true }, (error) => (error ? reject(new Unreachable(sentenceOf(error))) : resolve()));
  });

/** @param {URL} url @param {Asked} asked @param {Limits} limits @returns {Promise<Answer>} */
const send = (url, { method, headers, body }, { patienceMs, ca, lookup }) =>
  new Promise((resolve, reject) => {
    const local = lookup ?? (url.hostname.endsWith('.localhost') ? lookupLocal : undefined);
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method,
      agent: false,
      headers: {
        'user-agent': userAgent,
        'accept-encoding': 'identity',
        accept: 'text/html,application/json;q=0.9,*/*;q=0.8',
        ...headers,
      },
      ...(local && { lookup: local }),
      ...(ca && { ca }),
    });
    let answered = false;
    /** @param {unknown} error */
    const fail = (error) => {
      clearTimeout(timer);
      request.destroy();
      reject(new Unreachable(sentenceOf(error)));
    };
    const late = () =>
      new Unreachable(
        answered
          ? `it began to answer, and did not end within ${patienceMs / 1000} s`
          : `it did not answer within ${patienceMs / 1000} s`,
      );
    const timer = setTimeout(() => fail(late()), patienceMs);
    request.on('error', fail);
    request.on('response', (response) => {
      answered = true;
      /** @type {Buffer[]} */
      const chunks = [];
      let size = 0;
      /** @param {boolean} cut */
      const done = (cut) => {
        clearTimeout(timer);
        const text = unpack(Buffer.concat(chunks), response.headers['content-encoding'] ?? '');
        const { statusCode: status = 0, headers: got } = response;
        resolve({ status, headers: got, body: text ?? '', cut: cut || text === null });
        request.destroy();
      };
      response.on('data', (/** @type {Buffer} */ chunk) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > mostBytes) done(true);
      });
      response.on('end', () => done(false));
      response.on('error', () => fail(new Unreachable('it broke off in the middle of its answer')));
    });
    request.end(body);
  });
