/**
 * Speech to text by pocketsphinx (Debian: pocketsphinx, pocketsphinx-en-us), for tests in which a real recogniser hears
 * what was said. It knows the sentences of a grammar (JSGF), and nothing else.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { wavOf } from '../../src/adapters/speech/cascaded/wav.js'
import { resampled } from './resampled.js'

const run = promisify(execFile)

/** What its model was made of. */
const modelRate = 16_000

/** Of a few seconds of speech, on a busy machine. */
const longestMs = 30_000

/** Wider than usual: its model was made of 16 kHz, and speech through a telephone has half of that. */
const beams = ['-beam', '1e-80', '-wbeam', '1e-60', '-pbeam', '1e-80']

/** As it is called until version 0.8, and from 5 on. */
const programs: readonly { name: string; argumentsOf(file: string, grammar: string): string[] }[] = [
  {
    name: 'pocketsphinx_continuous',
    argumentsOf: (file, grammar) => ['-infile', file, '-jsgf', grammar, '-logfn', '/dev/null', ...beams],
  },
  {
    name: 'pocketsphinx',
    argumentsOf: (file, grammar) => ['-jsgf', grammar, '-loglevel', 'FATAL', ...beams, 'single', file],
  },
]

export class Recogniser {
  private count = 0

  private constructor(
    private readonly script: (typeof programs)[number],
    private readonly folder: string,
    private readonly grammar: string,
  ) {}

  /** @param sentences in JSGF: `what time do you open (on monday | on friday)` @returns null where it is not installed */
  static async find(sentences: readonly string[]): Promise<Recogniser | null> {
    for (const script of programs) {
      const isThere = await run('which', [script.name]).then(
        () => true,
        () => false,
      )
      if (!isThere) continue
      const folder = await mkdtemp(join(tmpdir(), 'jackfield-recogniser-'))
      const grammar = join(folder, 'sentences.jsgf')
      const rules = sentences.map((sentence) => `(${sentence})`).join(' | ')
      await writeFile(grammar, `#JSGF V1.0;\ngrammar sentences;\npublic <sentence> = ${rules};\n`)
      return new Recogniser(script, folder, grammar)
    }
    return null
  }

  /** What was said; '' where it is none of the sentences. */
  async recognise(samples: Int16Array, rate: number): Promise<string> {
    this.count += 1
    const file = join(this.folder, `heard-${this.count}.wav`)
    await writeFile(file, wavOf(resampled(samples, rate, modelRate), modelRate))
    const { script } = this
    const { stdout } = await run(script.name, script.argumentsOf(file, this.grammar), {
      timeout: longestMs,
    })
    await rm(file)
    const text = stdout.trim()
    // From version 5 on it writes JSON.
    const said = text.startsWith('{') ? ((JSON.parse(text) as { t?: string }).t ?? '') : text
    return said.replace(/\s+/g, ' ').trim()
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}
