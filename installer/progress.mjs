/**
 * Progress on the terminal: one line for each step with its duration, a spinner on a terminal,
 * and elsewhere a line every 15 seconds.
 */
import { basename } from 'node:path'
import { Failure } from './failure.mjs'
import { helpOf } from './help.mjs'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/**
 * Runs one step and prints its line: `✓ npm packages  installed  12.3 s`.
 * @template T
 * @param {string} title
 * @param {(report: (text: string) => void) => Promise<T>} work gets a function that reports progress; the last text is kept
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const begin = Date.now()
  const watched = process.stdout.isTTY === true
  let reported = ''
  let frame = 0
  const seconds = () => `${((Date.now() - begin) / 1000).toFixed(1)} s`
  const draw = () =>
    process.stdout.write(`\r\x1b[K${FRAMES[frame++ % FRAMES.length]} ${title}  ${reported}  ${seconds()}`)
  const log = () => process.stdout.write(`… ${title}  ${reported}  ${seconds()}\n`)
  const timer = watched ? setInterval(draw, 100) : setInterval(log, 15_000)
  /** @param {string} mark */
  const end = (mark) => {
    clearInterval(timer)
    process.stdout.write(
      `${watched ? '\r\x1b[K' : ''}${mark} ${title.padEnd(17)} ${reported.padEnd(44)} ${seconds()}\n`,
    )
  }
  try {
    const result = await work((text) => (reported = text))
    end('✓')
    return result
  } catch (error) {
    end('✗')
    throw error
  }
}

/**
 * Runs a command's main function, or prints its help with `--help`. A {Failure} is printed as one line; anything else is a
 * bug of ours and keeps its stack. The exit code is what `main` returns, or 1.
 * @param {() => Promise<number>} main
 */
export async function runMain(main) {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(helpOf(scriptOf(process.argv[1] ?? '')))
    return
  }
  try {
    process.exitCode = await main()
  } catch (error) {
    process.exitCode = 1
    const known = error instanceof Failure
    process.stderr.write(
      `${known ? `jackfield: ${error.message}` : error instanceof Error ? error.stack : error}\n`,
    )
  }
}

/** @param {string} file of a command @returns {string} the script of package.json that runs it */
function scriptOf(file) {
  const name = basename(file, '.mjs')
  return name === 'install' ? 'setup' : name.replace('test-', 'test:')
}
