/** Suggests the nearest command for an unknown one. */
import type { Hook } from '@oclif/core'
import { nearest } from '../lib/texts.js'
import { usageError } from '../lib/usage-error.js'

const hook: Hook.CommandNotFound = async ({ id, config }) => {
  const written = id.replaceAll(':', ' ')
  const meant = nearest(
    written,
    config.commandIDs.map((known) => known.replaceAll(':', ' ')),
  )
  const advice = meant ? `did you mean jackfield ${meant}?` : 'jackfield --help lists all commands'
  throw usageError(`There is no command ${written}: ${advice}`)
}

export default hook
