/** Answers a command that does not exist with the nearest one that does. */
import { Errors, type Hook } from '@oclif/core'
import { usageExitCode } from '../lib/ask.js'
import { nearest } from '../lib/texts.js'

const hook: Hook.CommandNotFound = async ({ id, config }) => {
  const written = id.replaceAll(':', ' ')
  const meant = nearest(
    written,
    config.commandIDs.map((known) => known.replaceAll(':', ' ')),
  )
  const advice = meant ? `did you mean jackfield ${meant}?` : 'jackfield --help lists all commands'
  throw new Errors.CLIError(`There is no command ${written}: ${advice}`, { exit: usageExitCode })
}

export default hook
