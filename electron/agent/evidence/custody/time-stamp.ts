import { createHash, webcrypto } from 'node:crypto';
import type { SignedData, TSTInfo } from 'pkijs';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';

/** The content of a time-stamp. This program does not judge whether its authority can be trusted. */
export interface TimeStamp {
  /** ISO 8601 UTC. */
  readonly at: string;
  /** The name in the signer's certificate. */
  readonly by: string;
}

/** A request to a time-stamp service, and the nonce that the response must contain. */
export interface TimeStampQuery {
  readonly bytes: Uint8Array;
  readonly nonce: Uint8Array;
}

const SHA256 = '2.16.840.1.101.3.4.2.1';
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
/** `granted` and `grantedWithMods` (RFC 3161, section 2.4.2). */
const MOST_GRANTED = 1;
const NONCE_BYTES = 8;

/** Loaded on demand: both are large and rarely needed. */
const libraries = async () => ({ asn1: await import('asn1js'), pki: await import('pkijs') });
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const isSame = (one: ArrayBuffer | Uint8Array, other: Uint8Array): boolean =>
  Buffer.from(new Uint8Array(one)).equals(other);

/** Builds the request for a time-stamp of these bytes, asking for the certificate too (RFC 3161, section 2.4.1). */
export async function timeStampQuery(bytes: Uint8Array): Promise<TimeStampQuery> {
  const { asn1, pki } = await libraries();
  const nonce = webcrypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  // A positive number of constant length
  nonce[0] = 0x40 | ((nonce[0] ?? 0) & 0x3f);
  const request = new pki.TimeStampReq({
    version: 1,
    messageImprint: new pki.MessageImprint({
      hashAlgorithm: new pki.AlgorithmIdentifier({ algorithmId: SHA256 }),
      hashedMessage: new asn1.OctetString({ valueHex: new Uint8Array(sha256(bytes)).buffer }),
    }),
    nonce: new asn1.Integer({ valueHex: nonce.slice().buffer }),
    certReq: true,
  });
  return { bytes: new Uint8Array(request.toSchema().toBER()), nonce };
}

/**
 * Checks a time-stamp service's response: granted, about these bytes, with the nonce if one is given, and signed by a
 * certificate for time-stamps that was valid at that time. The error says in a few words what is wrong.
 */
export async function readTimeStamp(
  answer: Uint8Array,
  bytes: Uint8Array,
  nonce?: Uint8Array,
): Promise<Result<TimeStamp, string>> {
  const { pki } = await libraries();
  try {
    const response = pki.TimeStampResp.fromBER(new Uint8Array(answer));
    const status: number = response.status.status;
    const token = response.timeStampToken;
    if (status > MOST_GRANTED || token === undefined)
      return err(`no time-stamp was issued (status ${status})`);
    if (token.contentType !== SIGNED_DATA) return err('it is not signed');
    const signed = new pki.SignedData({ schema: token.content });
    const content = signed.encapContentInfo.eContent;
    if (signed.encapContentInfo.eContentType !== TST_INFO || content === undefined)
      return err('it is not a time-stamp');
    const info = pki.TSTInfo.fromBER(content.getValue());
    const { hashAlgorithm, hashedMessage } = info.messageImprint;
    const isOurs =
      hashAlgorithm.algorithmId === SHA256 && isSame(hashedMessage.valueBlock.valueHexView, sha256(bytes));
    if (!isOurs) return err('it covers different data');
    if (
      nonce !== undefined &&
      !(info.nonce !== undefined && isSame(info.nonce.valueBlock.valueHexView, nonce))
    )
      return err('it responds to a different request (nonce)');
    return await checkSigner(signed, info, bytes);
  } catch {
    return err('it cannot be read');
  }
}

async function checkSigner(
  signed: SignedData,
  info: TSTInfo,
  bytes: Uint8Array,
): Promise<Result<TimeStamp, string>> {
  const { pki } = await libraries();
  const crypto = new pki.CryptoEngine({ name: 'node', crypto: globalThis.crypto });
  const data = new Uint8Array(bytes).buffer;
  const { signatureVerified, signerCertificate: signer } = await signed
    .verify({ signer: 0, data, checkChain: false, extendedMode: true }, crypto)
    .catch(() => ({ signatureVerified: false, signerCertificate: undefined }));
  if (signatureVerified !== true || signer === undefined || signer === null)
    return err('its signature could not be verified');
  const usage: unknown = signer.extensions?.find(({ extnID }) => extnID === EXTENDED_KEY_USAGE)?.parsedValue;
  const isForTime = usage instanceof pki.ExtKeyUsage && usage.keyPurposes.includes(TIME_STAMPING);
  if (!isForTime) return err('its certificate is not meant for time-stamps');
  const { genTime } = info;
  if (genTime < signer.notBefore.value || genTime > signer.notAfter.value)
    return err('its certificate was not valid at the stated time');
  const names = signer.subject.typesAndValues.map(({ value }) => value.valueBlock.value);
  return ok({ at: genTime.toISOString(), by: names.join(', ') });
}
