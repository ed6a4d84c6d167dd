/** Shortest secret that is searched for, characters: shorter ones would take ordinary words out of the log. */
const SHORTEST_SECRET = 6;
const BASE64_GROUP_BYTES = 3;

/** Every form in which a secret could reach a log: as it is, in JSON, in a URL, in hexadecimal, in base64 at any offset. */
export function secretForms(secret: string): readonly string[] {
  if (secret.length < SHORTEST_SECRET) return [];
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const percent = encodeURIComponent(secret);
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    percent,
    percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    encodeURIComponent(percent),
    hex,
    hex.toUpperCase(),
    ...base64Forms(bytes),
  ];
  // Longer forms first, so that no form is left half standing.
  return [...new Set(forms)].toSorted((left, right) => right.length - left.length);
}

/** Base64 depends on what stands before: three offsets, without the characters that neighbours share. */
function base64Forms(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const shifted = new Uint8Array(offset + bytes.length);
    shifted.set(bytes, offset);
    const encoded = btoa(String.fromCharCode(...shifted));
    const first = offset === 0 ? 0 : offset + 1;
    const sharedBytes = shifted.length % BASE64_GROUP_BYTES;
    const last = sharedBytes === 0 ? encoded.length : encoded.length - 4 + sharedBytes;
    const inner = encoded.slice(first, last);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
