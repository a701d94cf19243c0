/** What somebody hears, as a row of tones. */
import type { PhoneDialog } from './phone-dialog.js'
import { toneLevel } from './tone.js'

/** Samples at 8 kHz that are judged together: 60 ms. */
const block = 480

/** Shorter ones are what lies between two tones. */
const shortestMs = 180

export interface HeardTone {
  hz: number
  ms: number
}

/** The tones that a phone heard in a call, in order; whatever is none of them is left out. */
export function heardTones({ phone, media }: PhoneDialog, known: readonly number[]): HeardTone[] {
  const heard = phone.ear.heard().find(({ source }) => source === `${media?.host}:${media?.port}`)
  if (!heard) return []
  const tones: { hz: number | null; ms: number }[] = []
  for (let start = 0; start + block <= heard.pcm.length; start += block) {
    const samples = heard.pcm.subarray(start, start + block)
    const hz = known.find((one) => toneLevel(samples, one) > 0.6) ?? null
    const last = tones.at(-1)
    if (last?.hz === hz) last.ms += 60
    else tones.push({ hz, ms: 60 })
  }
  const long = tones.filter((tone): tone is HeardTone => tone.hz !== null && tone.ms >= shortestMs)
  return long.reduce<HeardTone[]>((joined, { hz, ms }) => {
    const last = joined.at(-1)
    if (last?.hz === hz) last.ms += ms
    else joined.push({ hz, ms })
    return joined
  }, [])
}
