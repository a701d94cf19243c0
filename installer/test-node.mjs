/**
 * The Node of most tests: that of the server (runtime/install.mjs). If the machine's is older, suites with `machineNode` use
 * the machine's own all the same, so that one run proves both.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, PROGRAM, VERSION, installRuntime, isNewEnough } from './runtime/install.mjs'

/** V8's compile cache: every server of a test would compile the same thousand modules again. */
const COMPILED = join(CACHE, 'compiled')

/**
 * Installs it, unless it exists or the machine's own Node is new enough.
 * @param {{log: string, report: (text: string) => void}} options
 */
export async function installTestNode({ log, report }) {
  const problem = await installRuntime({ log, report })
  report(problem ? `the tests run on ${process.version}: ${problem}` : `${VERSION} is there`)
}

/** The program to run tests with. @param {{machineNode?: boolean}} suite */
export function nodeOf({ machineNode = false }) {
  return machineNode || isNewEnough() || !existsSync(PROGRAM) ? process.execPath : PROGRAM
}

/** Its environment variables; an older Node ignores them. */
export const NODE_ENVIRONMENT = { NODE_COMPILE_CACHE: COMPILED }
