import { createHash, randomBytes, verify, X509Certificate } from 'node:crypto';
import { Integer, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  type Certificate,
  ContentInfo,
  id_eContentType_TSTInfo,
  id_sha256,
  MessageImprint,
  SignedData,
  type SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';

export type TimeStamp = { reply: Buffer; authority: string; at: Date };

/** As `openssl ts` writes hashes: RFC 5754 leaves the parameters out or null. */
const sha256 = new AlgorithmIdentifier({ algorithmId: id_sha256 });
const messageDigest = '1.2.840.113549.1.9.4';
const digests: Record<string, string> = {
  [id_sha256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

const bytesOf = (value: ArrayBuffer) => Buffer.from(value);
const same = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

/** Asks the authority when this SHA-256 (hexadecimal) was there, as RFC 3161 has it. Throws where the answer vouches for nothing. */
export async function timeStampOf(url: string, hash: string): Promise<TimeStamp> {
  const imprint = Buffer.from(hash, 'hex');
  // Read as a positive number, without a leading zero.
  const nonce = randomBytes(16);
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  const asked = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: sha256,
      hashedMessage: new OctetString({ valueHex: imprint }),
    }),
    nonce: new Integer({ valueHex: nonce }),
    certReq: true,
  });
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: new Uint8Array(asked.toSchema().toBER()),
    signal: AbortSignal.timeout(20_000),
  });
  if (!answer.ok) throw new Error(`The time-stamping authority answered ${answer.status}`);
  const reply = Buffer.from(await answer.arrayBuffer());
  return { reply, ...readReply(reply, imprint, nonce) };
}

function readReply(reply: Buffer, imprint: Buffer, nonce: Buffer): Omit<TimeStamp, 'reply'> {
  const { status, timeStampToken } = TimeStampResp.fromBER(new Uint8Array(reply));
  if (!timeStampToken) throw new Error(`The time-stamping authority refused: status ${status.status}`);
  const signed = new SignedData({ schema: new ContentInfo({ schema: timeStampToken.toSchema() }).content });
  const { eContent, eContentType } = signed.encapContentInfo;
  if (eContentType !== id_eContentType_TSTInfo || !eContent) throw new Error('The answer holds no time stamp');
  const content = bytesOf(eContent.getValue());
  const info = TSTInfo.fromBER(eContent.getValue());
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  if (hashAlgorithm.algorithmId !== id_sha256 || !same(hashedMessage.valueBlock.valueHexView, imprint))
    throw new Error('The time stamp is about something else');
  if (!info.nonce || !same(info.nonce.valueBlock.valueHexView, nonce))
    throw new Error('The time stamp answers another question');
  const certificate = signerOf(signed, content);
  const names = certificate.subject.split('\n');
  const named = names.find((name) => name.startsWith('CN=')) ?? names.at(-1) ?? '';
  return { authority: named.slice(named.indexOf('=') + 1), at: info.genTime };
}

/** The certificate in the answer that signed the content. Whom it belongs to is for the reader of the stamp to judge. */
function signerOf({ signerInfos, certificates }: SignedData, content: Buffer): X509Certificate {
  const [signer] = signerInfos;
  for (const one of certificates ?? []) {
    const certificate = new X509Certificate(Buffer.from((one as Certificate).toSchema().toBER()));
    if (signer && hasSigned(certificate, signer, content)) return certificate;
  }
  throw new Error('No certificate in the answer has signed the time stamp');
}

function hasSigned(certificate: X509Certificate, signer: SignerInfo, content: Buffer): boolean {
  const digest = digests[signer.digestAlgorithm.algorithmId];
  const attributes = signer.signedAttrs;
  const stated = attributes?.attributes.find(({ type }) => type === messageDigest)?.values[0] as
    OctetString | undefined;
  if (!digest || !attributes || !stated) return false;
  if (!same(stated.valueBlock.valueHexView, createHash(digest).update(content).digest())) return false;
  const signature = signer.signature.valueBlock.valueHexView;
  return verify(digest, bytesOf(attributes.encodedValue), certificate.publicKey, signature);
}
