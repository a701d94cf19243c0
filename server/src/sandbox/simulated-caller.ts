/** A simulated caller: what number they call, which keys they press, when they hang up. */
import { randomUUID } from 'node:crypto'
import { assignments } from './dial-string.js'
import type { SimulatedChannel } from './simulated-channel.js'
import { closingBracket, separate } from './words.js'

export interface CallIn {
  /** The called number: the user part of the request URI. */
  dialled: string
  number: string
  name: string
  /** Pressed one after the other once the caller hears something; `w` waits half a second before the next, `W` one. */
  keys: string
  /** Seconds from the answer to the caller's hang-up. */
  stays: number
  /** Seconds until the caller gives up unanswered. */
  patience: number
  /** Whether the caller's ACK comes: without it the answer has not reached them. */
  acknowledges: boolean
  /** Channel variables, `sip_h_…` for headers of the INVITE among them. */
  variables: ReadonlyMap<string, string>
}

/** The caller listens this long before the first key, and this long between two, in milliseconds. */
const LISTENS = 1000
const BETWEEN_KEYS = 150
const MOST_KEYS = 200
const MOST_SECONDS = 7200

/** FreeSWITCH waits this long for the ACK of its answer, in milliseconds: 64 times T1. */
const GIVEN_UP = 32_000

/**
 * Reads the argument of `sandbox_call`: `{name=value,…}<called number> <caller's number>`. The names `caller_name`,
 * `keys`, `stays` (60), `patience` (60) and `acknowledges` (true) are the caller's, all others are variables.
 * @returns undefined where it is not of this form
 */
export function parseCallIn(text: string): CallIn | undefined {
  const end = closingBracket(text.trim(), '{', '}')
  const given = new Map(end < 0 ? [] : assignments(text.trim().slice(1, end)))
  const [dialled, number] = separate(
    text
      .trim()
      .slice(end + 1)
      .trim(),
    ' ',
  )
  const take = (name: string, fallback: string): string => {
    const value = given.get(name) ?? fallback
    given.delete(name)
    return value
  }
  const name = take('caller_name', '')
  const keys = take('keys', '').slice(0, MOST_KEYS)
  const [stays, patience] = [Number(take('stays', '60')), Number(take('patience', '60'))]
  const possible = [stays, patience].every((seconds) => seconds > 0 && seconds <= MOST_SECONDS)
  const acknowledges = take('acknowledges', 'true') === 'true'
  if (!dialled || !number || !possible || !/^[0-9*#A-DwW]*$/.test(keys)) return undefined
  return {
    ...{ dialled, number, name: name || number },
    ...{ keys, stays, patience, acknowledges, variables: given },
  }
}

export class SimulatedCaller {
  #hearing = false

  constructor(readonly order: CallIn) {}

  /** The call is on its way. */
  waits(channel: SimulatedChannel): void {
    channel.timers.after(this.order.patience * 1000, () => {
      if (channel.times.answered === 0) channel.leave()
    })
  }

  /** Sound reaches the caller, by an answer or before it. */
  hears(channel: SimulatedChannel): void {
    if (this.#hearing) return
    this.#hearing = true
    let at = LISTENS
    for (const key of this.order.keys) {
      if (key === 'w' || key === 'W') {
        at += key === 'w' ? 500 : 1000
        continue
      }
      channel.timers.after(at, () => channel.press(key, 'RTP'))
      at += BETWEEN_KEYS
    }
  }

  answered(channel: SimulatedChannel): void {
    channel.timers.after(this.order.stays * 1000, () => channel.leave())
    if (this.order.acknowledges) channel.timers.after(1, () => channel.set('sip_to_tag', randomUUID()))
    else channel.timers.after(GIVEN_UP, () => channel.hangUp('NORMAL_UNSPECIFIED'))
    this.hears(channel)
  }
}
