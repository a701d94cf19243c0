/**
 * Messages through an SMSC that drops its line at random, with the server killed three times and the database away
 * twice: whether each comes to the SMSC once, and to the end that it must have. Exit code 1 when one does not.
 * Settings: BENCH_MESSAGES [50000], BENCH_WINDOW [50], BENCH_DROP_AFTER submissions [1000].
 */
import { messageChaos } from '../../../server/dist/test/support/message-chaos.js'
import { machine, printTable, say, printFigure } from '../figures.js'

const messages = Number(process.env['BENCH_MESSAGES'] ?? 50_000)
const window = Number(process.env['BENCH_WINDOW'] ?? 50)
const dropAfter = Number(process.env['BENCH_DROP_AFTER'] ?? 1_000)
const [kills, outages] = [
  [0.2, 0.5, 0.8],
  [0.35, 0.65],
]

async function main(): Promise<void> {
  say(machine())
  const result = await messageChaos({
    ...{ messages, window, dropAfter, kills, outages },
    ...{ outageMs: 10_000, withinMs: 1_200_000, say },
  })
  say()
  const { statuses, seconds, ...counts } = result
  printTable(
    ['', 'count'],
    [
      ['messages accepted', String(messages)],
      ['messages that the SMSC has', String(counts.messages)],
      ['submissions that it took', String(counts.submissions)],
      [`lines dropped, by it or by kill -9`, String(counts.drops)],
      ['submissions that lost their answer with the line', String(counts.unanswered)],
      ['submissions again of what had been answered', String(counts.repeated)],
      ...Object.entries(statuses).map(([status, count]) => [`messages ${status}`, String(count)]),
      ['messages in a wrong state', String(counts.wrongStatuses)],
      ['rows left behind', String(counts.left)],
    ],
  )
  say(`${seconds.toFixed(0)} s, window ${window}`)
  const wrong =
    Math.abs(messages - counts.messages) +
    (counts.neverAnswered + counts.wrongStatuses + counts.left) +
    Math.max(0, counts.repeated - window * kills.length)
  printFigure(`messages lost, doubled or in a wrong state, of ${messages} in chaos`, wrong, { atMost: 0 }, 0)
  process.exitCode = wrong === 0 ? 0 : 1
}

await main()
