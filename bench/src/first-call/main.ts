/**
 * From a bare Debian to the first answered call, with the README's own commands: the seconds of each. The Debian is made
 * before the clock begins, as the machine that somebody has; what `npm run up` installs comes over the network, and counts.
 * Needs root, debootstrap and the appliance's default ports. With a FreeSWITCH on this machine it is put into the Debian,
 * and SIPp is the carrier; else the call runs on the sandbox.
 */
import { fileURLToPath } from 'node:url'
import { findFreeswitch } from '../../../server/dist/test/support/freeswitch.js'
import { Carrier } from '../../../server/dist/test/support/sipp.js'
import { machine, printTable, say, printFigure } from '../figures.js'
import { BareDebian } from './bare-debian.js'
import { commandsOf } from './readme.js'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const folder = '/opt/jackfield'

/** Prefix of each command in the output. */
const mark = '>>> '

say(machine())
const freeswitch = await findFreeswitch()
const debian = await BareDebian.make()
let carrier: Carrier | undefined
try {
  if (freeswitch) carrier = await Carrier.start()
  await debian.clone(repository, folder)
  if (freeswitch) await debian.addFreeswitch(freeswitch)
  const [up = ''] = commandsOf('Two commands')
  const commands = [up, ...commandsOf('A first call').slice(0, 3)].map((command) =>
    carrier && command.includes(' demo ') ? `${command} --carrier ${carrier.host}:${carrier.port}` : command,
  )
  const began: [command: string, seconds: number][] = []
  let answered: number | undefined
  const script = [
    'set -e',
    ...commands.flatMap((command) => [`echo '${mark}${command}'`, command]),
    'npm run down',
  ]
  const code = await debian.script(folder, script.join('\n'), (line, ms) => {
    say(`  ${line}`)
    if (line.startsWith(mark)) began.push([line.slice(mark.length), ms / 1_000])
    if (began.length === commands.length && /\banswered\b/.test(line)) answered ??= ms / 1_000
  })
  if (code !== 0 || answered === undefined) throw new Error(`no call was answered (exit code ${code})`)
  const ends = [...began.slice(1).map(([, seconds]) => seconds), answered]
  const rows = began.map(([command, seconds], index) => [command, ((ends[index] ?? 0) - seconds).toFixed(1)])
  say()
  printTable(['command', 'seconds'], [...rows, ['to the first answered call', answered.toFixed(1)]])
  say(freeswitch ? 'The call ran over FreeSWITCH and Kamailio to SIPp.' : 'The call ran on the sandbox.')
  printFigure('seconds from a bare Debian to the first answered call', answered, undefined, 0)
} finally {
  await carrier?.stop()
  await debian.remove()
}
process.exit(0)
