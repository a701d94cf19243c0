/** What the session itself says to a model in the middle of a call. */
export const cues = {
  return:
    'The caller is connected with you again, in the same call. Go on with the conversation in one short sentence.',
  silence: 'The caller has said nothing for a while. Ask in one short sentence whether they are still there.',
  leaving: 'The caller does not answer any more. Say goodbye in one short sentence.',
  timeIsUp:
    'The time of this call is over. Tell the caller so, and say goodbye, in one or two short sentences.',
} as const

/** Keys that the caller has pressed, by themselves. */
export function keysCue(keys: string): string {
  const named = [...keys].join(' ')
  return `The caller has pressed ${keys.length === 1 ? 'this key' : 'these keys'} of their telephone: ${named}`
}
