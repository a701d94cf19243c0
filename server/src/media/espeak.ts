/** espeak-ng, the speech provider that needs no network (Debian's package espeak-ng). */
import { runProgram } from './child-process.js'
import type { SpeechProvider } from './speech.js'

/** espeak-ng's own speed. */
const wordsPerMinute = 175

let voices: Promise<ReadonlySet<string>> | undefined

/**
 * Languages and names, in lower case, of the lines that `espeak-ng --voices` prints: priority, language,
 * age and gender, name, file, and other languages that it serves as `(en 2)`.
 */
async function knownVoices(): Promise<ReadonlySet<string>> {
  const lines = (await runProgram('espeak-ng', ['--voices'])).toLowerCase().split('\n').slice(1)
  return new Set(
    lines.flatMap((line) => {
      const [, language = '', , name = ''] = line.trim().split(/\s+/)
      const others = [...line.matchAll(/\(([a-z0-9-]+) \d+\)/g)].map(([, other = '']) => other)
      return [language, name, ...others]
    }),
  )
}

export const espeak: SpeechProvider = {
  name: 'espeak-ng',

  async hasVoice(voice) {
    voices ??= knownVoices().catch((error: unknown) => {
      voices = undefined
      throw error
    })
    // A language may carry a variant: en+f3.
    const [language = ''] = voice.toLowerCase().split('+')
    return /^[a-z0-9_+-]+$/i.test(voice) && (await voices).has(language)
  },

  async render({ text, voice, speed }, target) {
    const rate = Math.round(wordsPerMinute * speed)
    await runProgram('espeak-ng', ['-v', voice, '-s', String(rate), '-w', target, '--stdin'], { input: text })
  },
}
