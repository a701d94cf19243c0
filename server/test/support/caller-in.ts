/** Somebody who calls a number of ours on either switch: over SIP on the real one, simulated on the sandbox. */
import { TestClient } from '../sandbox/event-socket-client.js'
import type { InboundBench } from './inbound-bench.js'

interface CallInOptions {
  /** Pressed from a second after the first sound on; `w` waits half a second, `W` one. */
  keys?: string
  /** Seconds from the answer to the hang-up. */
  stays?: number
  /** Seconds until the caller gives up unanswered. */
  patience?: number
  from?: string
  /** Whether the caller's ACK of our answer comes [true]. */
  acknowledges?: boolean
}

/** Calls the bench's number; resolves as soon as the call is on its way. */
export async function callIn(bench: InboundBench, options: CallInOptions = {}): Promise<void> {
  if (bench.bench.appliance.kind === 'sandbox') await simulate(bench, options)
  else await dial(bench, options)
}

async function simulate(
  bench: InboundBench,
  { keys = '', stays = 30, patience = 30, from = '+12125550123', acknowledges = true }: CallInOptions,
): Promise<void> {
  const { port, password } = bench.bench.appliance.eventSocket
  const client = await TestClient.open(port, password, '')
  const edge = `sip_h_X-Edge-Source=trunk,sip_h_X-Edge-Number=${bench.bench.numberId},sip_h_X-Edge-Workspace=${bench.bench.workspace.id}`
  const caller = `keys=${keys},stays=${stays},patience=${patience},acknowledges=${acknowledges}`
  const answer = await client.api(`sandbox_call {${edge},${caller}}${bench.number} ${from}`)
  await client.end()
  if (!answer.startsWith('+OK')) throw new Error(answer)
}

async function dial(
  bench: InboundBench,
  { keys = '', stays = 30, patience = 30, from = '+12125550123', acknowledges = true }: CallInOptions,
): Promise<void> {
  const phone = await bench.caller({ username: from, acknowledges })
  const dialog = phone.call(bench.number)
  const timers: NodeJS.Timeout[] = []
  const after = (ms: number, work: () => void) => void timers.push(setTimeout(work, ms))
  let hears = false
  const press = () => {
    let at = 1_000
    for (const key of keys) {
      if (key !== 'w' && key !== 'W') after(at, () => phone.press(dialog, key))
      at += { w: 500, W: 1_000 }[key] ?? 150
    }
  }
  dialog.on('status', (status) => {
    if (!hears && (status === 183 || status === 200)) press()
    hears ||= status === 183 || status === 200
  })
  // Who does not acknowledge it is answered again and again.
  let isAnswered = false
  dialog.on('status', (status) => {
    if (status === 200 && !isAnswered) after(stays * 1_000, () => phone.bye(dialog))
    isAnswered ||= status === 200
  })
  after(patience * 1_000, () => dialog.state === 'ringing' && phone.cancel(dialog))
  dialog.once('ended', () => timers.forEach(clearTimeout))
}
