/** Why a recording has no sound, or none yet, as `error` says it; the console has words of its own for each. */
export const recordingFailures = {
  neverBegun: 'The switch did not begin it',
  nothingSaid: 'The caller said nothing',
  nothingRecorded: 'Nothing was recorded',
  undecodable: 'What was recorded cannot be decoded',
  notConverted: 'It cannot be converted yet',
} as const

/** The column takes 255 characters. */
export function notStored(why: string): string {
  return `It cannot be stored yet: ${why}`.slice(0, 255)
}
