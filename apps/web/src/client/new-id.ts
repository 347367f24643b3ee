const ID_BYTES = 12;

/** `crypto.randomUUID` is missing on pages without TLS. */
export const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(ID_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
