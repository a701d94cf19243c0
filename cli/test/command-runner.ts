/**
 * Runs command after command in one process, for tests that run hundreds: loading the program costs more than nearly any
 * command does. What it prints and how it ends are those of a process of its own; `cli.test.ts`, and tests that
 * need standard input or a terminal, start the program itself.
 */
import { type Config, Errors, Config as OclifConfig, run } from '@oclif/core'
import type { Ran } from './program.js'

/** The parent sends a command when it has the answer to the one before. */
process.on('message', (args: string[]) => {
  void ran(args).then((answer) => process.send?.(answer))
})
process.on('disconnect', () => exit())

let config: Promise<Config> | undefined
const exit = process.exit.bind(process)
/** Of this program, and of the one whose commands it runs. */
const [node = '', , file = ''] = process.argv

async function ran(args: string[]): Promise<Ran> {
  const printed = { stdout: '', stderr: '' }
  process.stdout.write = collected((text) => (printed.stdout += text))
  process.stderr.write = collected((text) => (printed.stderr += text))
  let code: number | undefined
  process.exit = ((given = 0) => {
    code ??= Number(given)
  }) as typeof process.exit
  process.exitCode = undefined
  process.argv = [node, file, ...args]
  try {
    config ??= OclifConfig.load(file)
    await run(args, await config)
  } catch (error) {
    await Errors.handle(error as Error)
  }
  return { code: code ?? process.exitCode ?? 0, ...printed }
}

function collected(add: (text: string) => void): typeof process.stdout.write {
  return (chunk: string | Uint8Array, ...rest: unknown[]) => {
    add(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  }
}
