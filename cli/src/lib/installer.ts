/** The installer's programs, which look after the appliance of this machine. They speak for themselves. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { usageError } from './usage-error.js'

const folder = new URL('../../../../installer/', import.meta.url)

/**
 * Runs one to its end, on the terminal of this one.
 * @returns its exit code; 1 when a signal ended it
 */
export async function runInstaller(
  program: 'backup' | 'restore' | 'upgrade' | 'secret' | 'install' | 'firewall' | 'doctor',
  args: readonly string[],
): Promise<number> {
  const file = fileURLToPath(new URL(`${program}.mjs`, folder))
  if (!existsSync(file)) throw usageError('This is done in the checkout of the appliance, on its machine')
  const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' })
  // A Ctrl-C reaches both; the child says what that stopped.
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    process.off('SIGINT', ignore)
  }
}

/** Flags as the program takes them; those that were not given are left out. */
export function argumentsOf(flags: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? [`--${name}`] : [`--${name}`, `${value as string | number}`]
  })
}
