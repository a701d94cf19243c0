/** Samples one after another. */
export function joinedSamples(parts: readonly Int16Array[]): Int16Array {
  const samples = new Int16Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    samples.set(part, at)
    at += part.length
  }
  return samples
}
