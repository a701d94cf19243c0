/** Runs the installer's programs, which manage the appliance of this machine. They print their own output. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { usageError } from './usage-error.js'

const folder = new URL('../../../../installer/', import.meta.url)

/**
 * Runs one in the foreground, on this terminal.
 * @returns its exit code; 1 after a signal
 */
export async function runInstaller(
  program: 'backup' | 'restore' | 'upgrade' | 'secret' | 'install' | 'firewall' | 'doctor',
  args: readonly string[],
): Promise<number> {
  const file = fileURLToPath(new URL(`${program}.mjs`, folder))
  if (!existsSync(file)) throw usageError('This is done in the checkout of the appliance, on its machine')
  const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' })
  // Ctrl-C reaches both processes; the child reports what it interrupted.
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

/** Flags in the program's format; unset ones are left out. */
export function argumentsOf(flags: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? [`--${name}`] : [`--${name}`, `${value as string | number}`]
  })
}
