/** All API commands of the sandbox. */
import type { SandboxSwitch } from '../sandbox-switch.js'
import type { CommandTable } from './command.js'
import { callInCommands } from './call-in.js'
import { dtmfCommands } from './dtmf.js'
import { hangUpCommands } from './hang-up.js'
import { informationCommands } from './information.js'
import { mediaCommands } from './media.js'
import { originateCommands } from './originate.js'
import { recordingCommands } from './recording.js'
import { showCommands } from './show.js'
import { variableCommands } from './variables.js'

const commands: CommandTable = {
  ...originateCommands,
  ...callInCommands,
  ...hangUpCommands,
  ...variableCommands,
  ...mediaCommands,
  ...dtmfCommands,
  ...recordingCommands,
  ...showCommands,
  ...informationCommands,
}

/** @returns what FreeSWITCH would print; an unknown command is an answer too */
export async function runCommand(sandbox: SandboxSwitch, name: string, argument: string): Promise<string> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  return command ? command(sandbox, argument) : `-ERR ${name} Command not found!\n`
}
