/** Output of the drain and log level commands. */
import type { AnswerOf } from '../lib/endpoints.js'
import { table } from '../lib/table.js'

type Drain = AnswerOf<'get', '/operator/drain'>
type LogLevel = AnswerOf<'put', '/operator/log-level'>

/** One sentence. */
export function drainLine({ draining, live_calls: live }: Drain): string {
  const calls = `${String(live)} ${live === 1 ? 'call lives' : 'calls live'}.`
  if (!draining) return `Calls are taken. ${calls}`
  return live === 0 ? 'No new calls are taken, and none lives.' : `No new calls are taken. ${calls}`
}

/** One line a part. */
export function logLevelLines(levels: readonly LogLevel[]): string {
  return table([...levels], {
    part: ({ part }) => part,
    level: ({ level }) => level,
    until: ({ until }) => until ?? '',
  })
}
