const bytesOf = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const keyFor = (secret: string) => {
  const bytes = bytesOf(secret.replaceAll('-', '+').replaceAll('_', '/'));
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
};

/** Seals a text by AES-256-GCM with 32 bytes in base64url. */
export const seal = async (secret: string, text: string) => {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    await keyFor(secret),
    new TextEncoder().encode(text),
  );
  return btoa(String.fromCodePoint(...iv, ...new Uint8Array(sealed)));
};

/** Fails where another key sealed it. */
export const unseal = async (secret: string, sealed: string) => {
  const bytes = bytesOf(sealed);
  const iv = bytes.subarray(0, 12);
  const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await keyFor(secret), bytes.subarray(12));
  return new TextDecoder().decode(plain);
};
