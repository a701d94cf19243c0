/** Waits until one ringing leg is answered or fails. */
import type { RouteDialOptions } from './dial-options.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import { SwitchDownError } from '../../../adapters/freeswitch/errors.js'
import { lostRace } from '../model/answered-leg.js'
import { unreported } from '../model/leg-ends.js'
import { failures } from '../model/termination.js'

/** A leg is cancelled again after this: the first cancel is lost if the switch had not created the channel yet. */
const cancelAgainMs = 300

/** Time for the switch to report the end of a leg after its ring time, in milliseconds. */
const graceMs = 10_000

/**
 * Waits for the answer of a leg. The signal cancels the leg.
 * @returns how it ended; null when it is answered.
 * @throws {SwitchDownError}
 */
export async function legOutcome(
  channel: Channel,
  seconds: number,
  { signal, onRinging }: Pick<RouteDialOptions, 'signal' | 'onRinging'>,
): Promise<ChannelEnd | null> {
  return new Promise((resolve, reject) => {
    let again: NodeJS.Timeout | undefined
    const cancel = () => {
      const cause = signal.reason === lostRace ? lostRace : failures.canceled.hangupCause
      void channel.hangUp(cause).catch(() => undefined)
      again = setTimeout(cancel, cancelAgainMs)
    }
    const timer = setTimeout(
      () => {
        void channel.hangUp(failures.noAnswer.hangupCause).catch(() => undefined)
        settle(() => resolve(unreported(failures.noAnswer)))
      },
      seconds * 1000 + graceMs,
    )
    const settle = (result: () => void) => {
      clearTimeout(timer)
      clearTimeout(again)
      signal.removeEventListener('abort', cancel)
      result()
    }
    if (onRinging) channel.on('ringing', onRinging)
    channel.once('answered', () => settle(() => resolve(null)))
    channel.once('ended', (end) => settle(() => resolve(end)))
    channel.once('abandoned', () => settle(() => reject(new SwitchDownError())))
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    if (channel.state === 'answered') settle(() => resolve(null))
    const { end: ended } = channel
    if (ended) settle(() => resolve(ended))
  })
}

/** The switch bridges a caller with a leg that it dialled within milliseconds of the answer. */
const joinDeadlineMs = 5_000

/**
 * Waits until the switch has bridged a channel with its caller. If two legs answer at the same time the switch picks
 * one, not necessarily the one whose answer event came first.
 * @returns the end of a leg that lost.
 * @throws {SwitchDownError}
 */
export async function untilBridged(channel: Channel): Promise<ChannelEnd | null> {
  if (channel.end) return channel.end
  if (channel.bridged) return null
  return new Promise((resolve, reject) => {
    const joined = () => settle(() => resolve(null))
    const ended = (end: ChannelEnd) => settle(() => resolve(end))
    const abandoned = () => settle(() => reject(new SwitchDownError()))
    const timer = setTimeout(joined, joinDeadlineMs)
    const settle = (result: () => void) => {
      clearTimeout(timer)
      channel.off('bridged', joined)
      channel.off('ended', ended)
      channel.off('abandoned', abandoned)
      result()
    }
    channel.once('bridged', joined)
    channel.once('ended', ended)
    channel.once('abandoned', abandoned)
  })
}
