import { createHash, webcrypto } from 'node:crypto';
import http from 'node:http';
import * as asn1 from 'asn1js';
import * as pki from 'pkijs';
import { listenLocally } from './ports.ts';

/** How the authority answers: as it should, or wrongly in one way. */
export type AuthorityAnswer = 'right' | 'another hash' | 'another nonce' | 'another time' | 'refused' | 'fault';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const crypto = new pki.CryptoEngine({ name: 'authority', crypto: webcrypto as Crypto });
const sequence = (...value: asn1.BaseBlock[]) => new asn1.Sequence({ value });
const objectId = (value: string) => new asn1.ObjectIdentifier({ value });
const octets = (bytes: Uint8Array | ArrayBuffer) => new asn1.OctetString({ valueHex: bytes });
const sha256 = (bytes: ArrayBuffer) => createHash('sha256').update(Buffer.from(bytes)).digest();

/** A certificate of its own that may stamp times and do nothing else, as RFC 3161 §2.3 demands. */
async function certified(keys: CryptoKeyPair): Promise<pki.Certificate> {
  const certificate = new pki.Certificate({ version: 2, serialNumber: new asn1.Integer({ value: 1 }) });
  const name = new pki.AttributeTypeAndValue({
    type: '2.5.4.3',
    value: new asn1.Utf8String({ value: 'Test Time Authority' }),
  });
  certificate.issuer.typesAndValues.push(name);
  certificate.subject.typesAndValues.push(name);
  certificate.notBefore.value = new Date('2020-01-01');
  certificate.notAfter.value = new Date('2049-01-01');
  const extension = (extnID: string, value: asn1.BaseBlock) =>
    new pki.Extension({ extnID, critical: true, extnValue: value.toBER() });
  certificate.extensions = [
    extension('2.5.29.15', new asn1.BitString({ valueHex: new Uint8Array([0x80]), unusedBits: 7 })),
    extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.8'))),
  ];
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey, crypto);
  await certificate.sign(keys.privateKey, 'SHA-256', crypto);
  return certificate;
}

async function stamped(
  asked: pki.TimeStampReq,
  keys: CryptoKeyPair,
  certificate: pki.Certificate,
  answer: AuthorityAnswer,
): Promise<ArrayBuffer> {
  const { hashAlgorithm, hashedMessage } = asked.messageImprint;
  const hash = Buffer.from(hashedMessage.valueBlock.valueHexView);
  if (answer === 'another hash') hash[0]! ^= 1;
  const contentAt = (genTime: Date) =>
    new pki.TSTInfo({
      version: 1,
      policy: '1.2.3.4.1',
      messageImprint: new pki.MessageImprint({ hashAlgorithm, hashedMessage: octets(hash) }),
      serialNumber: new asn1.Integer({ value: 7 }),
      genTime,
      nonce: answer === 'another nonce' ? new asn1.Integer({ value: 5 }) : asked.nonce!,
    })
      .toSchema()
      .toBER();
  const content = contentAt(new Date());
  const attribute = (type: string, value: asn1.BaseBlock) => new pki.Attribute({ type, values: [value] });
  // ESSCertIDv2 (RFC 5816): which certificate has signed.
  const signedBy = sequence(sequence(sequence(octets(sha256(certificate.toSchema().toBER())))));
  const signed = new pki.SignedData({
    version: 3,
    encapContentInfo: new pki.EncapsulatedContentInfo({
      eContentType: pki.id_eContentType_TSTInfo,
      eContent: octets(content),
    }),
    signerInfos: [
      new pki.SignerInfo({
        version: 1,
        sid: new pki.IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
        signedAttrs: new pki.SignedAndUnsignedAttributes({
          type: 0,
          attributes: [
            attribute('1.2.840.113549.1.9.3', objectId(pki.id_eContentType_TSTInfo)),
            attribute('1.2.840.113549.1.9.4', octets(sha256(content))),
            attribute('1.2.840.113549.1.9.16.2.47', signedBy),
          ],
        }),
      }),
    ],
    certificates: [certificate],
  });
  await signed.sign(keys.privateKey, 0, 'SHA-256', undefined, crypto);
  if (answer === 'another time') signed.encapContentInfo.eContent = octets(contentAt(new Date('2025-01-01')));
  const token = new pki.ContentInfo({ contentType: pki.ContentInfo.SIGNED_DATA, content: signed.toSchema(true) });
  return new pki.TimeStampResp({ status: new pki.PKIStatusInfo({ status: 0 }), timeStampToken: token })
    .toSchema()
    .toBER();
}

/** A time-stamping authority (RFC 3161) on this machine, with a key of its own. */
export async function timeStampingAuthority() {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await certified(keys);
  let answer: AuthorityAnswer = 'right';
  const { url, stop } = await listenLocally(
    http.createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        if (answer === 'fault' || req.headers['content-type'] !== 'application/timestamp-query')
          return void res.writeHead(500).end();
        res.writeHead(200, { 'content-type': 'application/timestamp-reply' });
        if (answer === 'refused') {
          const status = new pki.PKIStatusInfo({ status: 2 });
          return void res.end(Buffer.from(new pki.TimeStampResp({ status }).toSchema().toBER()));
        }
        const asked = pki.TimeStampReq.fromBER(Buffer.concat(chunks));
        void stamped(asked, keys, certificate, answer).then((reply) => res.end(Buffer.from(reply)));
      });
    }),
  );
  return {
    url,
    stop,
    /** As OpenSSL reads it. */
    pem: `-----BEGIN CERTIFICATE-----\n${Buffer.from(certificate.toSchema().toBER()).toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    answerWith: (next: AuthorityAnswer) => (answer = next),
  };
}
