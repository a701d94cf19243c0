/** 128 random bits in hex. randomUUID is only there on pages that came by https or from this machine. */
export function randomHex(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
