/** espeak-ng, the speech provider that needs no network (Debian's package espeak-ng). */
import type { SpeechProvider } from './speech-provider.js'
import { runScript } from './child-process.js'

/** Whose turn it is to list voices: it is done once, for all workspaces. */
const platform = ''

/** espeak-ng's own speed. */
const wordsPerMinute = 175

interface Voices {
  readonly languages: ReadonlySet<string>
  /** Names of the voices' files; espeak-ng distinguishes case. */
  readonly variants: ReadonlySet<string>
}

let voices: Promise<Voices> | undefined

/**
 * What espeak-ng speaks, from the lines that `--voices` prints: priority, language, age and gender, name,
 * file, and other languages that it serves as `(en 2)`. Languages and names are in lower case.
 */
async function knownVoices(): Promise<Voices> {
  const lines = await linesOf('--voices')
  const languages = lines.flatMap((line) => {
    const [, language = '', , name = ''] = line.toLowerCase().trim().split(/\s+/)
    const others = [...line.matchAll(/\(([a-z0-9-]+) \d+\)/g)].map(([, other = '']) => other)
    return [language, name, ...others]
  })
  const variants = (await linesOf('--voices=variant')).map((line) => /!v\/(\S+)/.exec(line)?.[1] ?? '')
  return { languages: new Set(languages), variants: new Set(variants) }
}

/** Its output below the headings. */
async function linesOf(argument: string): Promise<string[]> {
  const printed = await runScript('espeak-ng', [argument], { lane: 'live', workspaceId: platform })
  return printed.trimEnd().split('\n').slice(1)
}

export const espeak: SpeechProvider = {
  name: 'espeak-ng',

  async hasVoice(voice) {
    voices ??= knownVoices().catch((error: unknown) => {
      voices = undefined
      throw error
    })
    const { languages, variants } = await voices
    // A language may carry a variant: en+f3. Of an unknown one espeak-ng says nothing and speaks without it.
    const [, language = '', variant] = /^([a-z0-9_-]+)(?:\+([a-z0-9_-]+))?$/i.exec(voice) ?? []
    return languages.has(language.toLowerCase()) && (variant === undefined || variants.has(variant))
  },

  async render({ text, voice, speed }, target, { workspaceId, lane }) {
    const rate = Math.round(wordsPerMinute * speed)
    const args = ['-v', voice, '-s', String(rate), '-w', '/dev/stdout', '--stdin']
    await runScript('espeak-ng', args, { lane, workspaceId, input: text, output: { file: target } })
  },
}
