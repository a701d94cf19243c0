/**
 * Runs benchmarks, one after another, keeps what they came to and writes docs/reference/benchmarks.md. Arguments: names of those
 * that are to run; all of them by default. Exit code 1 when one of them ended badly.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { say } from './figures.js'
import { type Bench, benches } from './page/benches.js'
import { writePage } from './page/page.js'
import { describeCommit, describeMachine, keepResult } from './page/result.js'

/** So many times what it takes here, and it hangs. */
const patience = 5

/** With settings of one's own a run may be larger: for an hour, or among millions of rows. */
const ownPatienceMs = 12 * 3_600_000

const busyLoad = 0.5

function chosen(names: readonly string[]): readonly Bench[] {
  const unknown = names.filter((name) => !benches.some((bench) => bench.name === name))
  if (unknown.length > 0) {
    const known = benches.map(({ name }) => name).join(', ')
    process.stderr.write(`no benchmark is named ${unknown.join(' or ')}; there are ${known}\n`)
    process.exit(2)
  }
  return names.length > 0 ? benches.filter(({ name }) => names.includes(name)) : benches
}

/** @returns whether it ended well */
async function run(
  { name, module = `${name}/main`, settings = {}, minutes }: Bench,
  commit: string,
): Promise<boolean> {
  const given = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[0].startsWith('BENCH_')),
  )
  const set = { ...settings, ...given }
  const began = performance.now()
  const isOwn = Object.keys(given).length > 0
  const child = spawn(process.execPath, [fileURLToPath(new URL(`${module}.js`, import.meta.url))], {
    ...{ env: { ...process.env, ...set }, stdio: ['ignore', 'pipe', 'inherit'] },
    ...{ timeout: isOwn ? ownPatienceMs : patience * minutes * 60_000, killSignal: 'SIGKILL' },
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stdout.write(text)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  keepResult(name, {
    ...{ day: new Date().toISOString().slice(0, 10), commit, machine: describeMachine() },
    ...{ seconds: Math.round((performance.now() - began) / 1_000), settings: set },
    ...{ isWhole: code === 0, output },
  })
  return code === 0
}

const [load = 0] = loadavg()
if (load > busyLoad) say(`the load is ${load.toFixed(1)}: whatever else runs here, its figures are in these`)
/** Results that are kept meanwhile are changes of the tree. */
const commit = describeCommit()
const failed: string[] = []
for (const bench of chosen(process.argv.slice(2))) {
  say(`\n# ${bench.title} (${bench.name}, some ${bench.minutes} min)`)
  if (!(await run(bench, commit))) failed.push(bench.name)
  writePage()
}
if (failed.length > 0) say(`\nended badly: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
