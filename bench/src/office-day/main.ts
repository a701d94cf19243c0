/**
 * A day in a call centre, in five minutes: a shift behind one address signs in within a minute, then calls from outside
 * ring all of it. Some agents have the console in Chromium, the others ask what those consoles ask. The limits of
 * requests are those of a new server.
 * Settings: BENCH_AGENTS (30), BENCH_BROWSERS (6), BENCH_SIGN_IN_MS (60000), BENCH_CALLS (10), BENCH_EVERY_MS (30000).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ConsoleBench } from '../../../console/test/dist/support/console-bench.js'
import { Office, type Play, defaultLimits } from '../../../console/test/dist/support/office/office.js'
import { takenBack } from '../../../console/test/dist/support/office/traffic.js'
import { stopSharedMariadb } from '../../../server/dist/test/support/mariadb.js'
import { TeamBench } from '../../../server/dist/test/support/team-bench.js'
import { machine, printFigure, printTable, say } from '../figures.js'

const setting = (name: string, value: number) => Number(process.env[name] ?? value)
const agents = setting('BENCH_AGENTS', 30)
const browsers = setting('BENCH_BROWSERS', 6)
const signInMs = setting('BENCH_SIGN_IN_MS', 60_000)
const calls = setting('BENCH_CALLS', 10)
const everyMs = setting('BENCH_EVERY_MS', 30_000)

/** In turn. */
const plays: readonly Play[] = [
  { kind: 'answered', by: 'browser', talkMs: 8_000 },
  { kind: 'abandoned' },
  { kind: 'answered', by: 'repeating', talkMs: 8_000 },
  { kind: 'voicemail' },
]

async function playAll(office: Office): Promise<string[]> {
  const problems: string[] = []
  for (let index = 0; index < calls; index++) {
    const began = Date.now()
    const play = plays[index % plays.length] ?? { kind: 'abandoned' }
    const wrong = await office.play(play)
    say(`call ${index + 1}: ${play.kind}${wrong.length > 0 ? `, but ${wrong.join('; ')}` : ''}`)
    problems.push(...wrong)
    await sleep(Math.max(0, began + everyMs - Date.now()))
  }
  return problems
}

function report({ traffic }: Office): void {
  printTable(
    ['request', 'in all', 'most per second', 'answers'],
    traffic.byPath.map(({ path, requests, most, statuses }) => [
      ...[path, String(requests), String(most)],
      [...statuses]
        .map(([status, count]) => `${count} x ${status === takenBack ? 'taken back' : status}`)
        .join(', '),
    ]),
  )
  say(`most requests of the API in a second: ${traffic.mostPerSecond}`)
}

async function main(): Promise<boolean> {
  say(machine())
  const team = await TeamBench.start({ settings: defaultLimits })
  const bench = await ConsoleBench.on(team.inbound.bench.workspace)
  let office: Office | undefined
  try {
    office = await Office.open(team, bench, { agents, browsers, signInMs, maxWait: 10 })
    const began = Date.now()
    await office.signIn()
    say(
      `${agents} agents signed in within ${((Date.now() - began) / 1_000).toFixed(0)} s, ${browsers} in browsers`,
    )
    const wrong = await playAll(office)
    const problems = await office.problems()
    for (const problem of problems) say(problem)
    say()
    report(office)
    say()
    const refused = office.traffic.failures.length
    printFigure(
      `requests of ${agents} agents behind one address that were refused or failed`,
      refused,
      { atMost: 0 },
      0,
    )
    printFigure(
      'white pages, lost streams and errors in browsers',
      problems.length - refused,
      { atMost: 0 },
      0,
    )
    printFigure(`wrong outcomes of ${calls} calls`, wrong.length, { atMost: 0 }, 0)
    return wrong.length === 0 && problems.length === 0
  } finally {
    await office?.close()
    await bench.browser.close()
    await team.stop()
    await stopSharedMariadb()
  }
}

process.exitCode = (await main()) ? 0 : 1
process.exit()
