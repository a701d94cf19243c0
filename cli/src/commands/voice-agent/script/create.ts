import { createCommand } from '../../../lib/resource-commands.js'
import { scriptFields, scriptOf } from '../../../resources/voice-agent-script.js'

export default createCommand('/voice-agents/{id}/evaluations/scripts', {
  summary: 'Add an evaluation script to a voice agent',
  examples: ['voice-agent script create va_01 --workspace acme --file opening-hours.json'],
  args: { id: 'id of the voice agent' },
  fields: scriptFields,
  finish: scriptOf,
  readable: ({ turns, expect, ...script }) => ({
    ...script,
    turns: turns.length,
    rules: rulesOf(turns, expect),
  }),
})

function rulesOf(turns: readonly { expect?: readonly unknown[] }[], expect: readonly unknown[]): number {
  return turns.reduce((sum, turn) => sum + (turn.expect?.length ?? 0), expect.length)
}
