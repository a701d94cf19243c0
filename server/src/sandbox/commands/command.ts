/** What an API command of the switch is. */
import type { SandboxSwitch } from '../sandbox-switch.js'

/**
 * @param argument all that follows the command's name
 * @returns what FreeSWITCH would print
 */
export type ApiCommand = (sandbox: SandboxSwitch, argument: string) => string | Promise<string>

export type CommandTable = Readonly<Record<string, ApiCommand>>

export const noSuchChannel = '-ERR No such channel!\n'

export const usage = (text: string) => `-USAGE: ${text}\n`
