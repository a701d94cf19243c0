/** The level of digital silence. */
export const lowestDb = -96

/** The level of samples: dB below the loudest square wave (dBFS). */
export function levelOf(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const power = sum / (samples.length || 1) / (32_768 * 32_768)
  return Math.max(lowestDb, 10 * Math.log10(power || 1e-12))
}
