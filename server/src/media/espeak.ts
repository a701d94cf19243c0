/** espeak-ng, the speech provider that needs no network (Debian's package espeak-ng). */
import { runProgram } from './child-process.js'
import type { SpeechProvider } from './speech.js'

/** espeak-ng's own speed. */
const wordsPerMinute = 175

let voices: Promise<ReadonlySet<string>> | undefined

/** Languages and names that `espeak-ng --voices` lists, in lower case. */
async function knownVoices(): Promise<ReadonlySet<string>> {
  const lines = (await runProgram('espeak-ng', ['--voices'])).split('\n').slice(1)
  const columns = lines.map((line) => line.trim().split(/\s+/))
  return new Set(
    columns.flatMap(([, language = '', , name = '']) => [language.toLowerCase(), name.toLowerCase()]),
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
