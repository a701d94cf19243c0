/** One call that rings one person's devices by push. */
import type { PushDevice, PushSender } from './push-sender.js'
import { type RingingCall, endFields, ringFields } from './payloads.js'
import type { PushOutcome } from './push.js'

/** Why a call stopped ringing, for example `caller_hangup`, `timeout` or `answered_elsewhere`. */
export type EndReason = string

export interface IncomingCallRequest {
  call: RingingCall
  /** Makes the token with which an app on this device takes the call. */
  mintToken(device: PushDevice): string
}

/** How long a cancellation is worth delivering: the contract's time to live. */
const endLifetimeMs = 60_000

/** A push that ends a ring is tried for at least this time, in milliseconds, however little of the ring's time is left. */
const endTriesMs = 10_000

interface Rung {
  device: PushDevice
  /** Whether the device may have been reached: then it gets the notice of the end. */
  reached: Promise<boolean>
}

export class PushedRing {
  private readonly over = new AbortController()
  private readonly deadline: number
  private readonly rung: Promise<Rung[]>
  private canceled = false
  private answeredBy: string | undefined

  /** Rings at once; a device that cannot be rung is left out without a word to the call. */
  constructor(
    private readonly sender: PushSender,
    devices: Promise<PushDevice[]>,
    private readonly request: IncomingCallRequest,
  ) {
    this.deadline = Date.now() + request.call.ring_timeout_secs * 1_000
    this.rung = devices.then((found) =>
      found.map((device) => {
        const reached = this.ring(device)
        sender.track(reached)
        return { device, reached }
      }),
    )
    sender.track(this.rung)
  }

  /**
   * The call has stopped ringing: no push is retried, and devices that may be ringing get a notice. The first call counts.
   * @param answeredBy `dev_…`, the device that has taken the call itself; {@link ended} notifies it
   */
  cancel(reason: EndReason, answeredBy?: string): void {
    if (this.canceled) return
    this.canceled = true
    this.answeredBy = answeredBy
    this.over.abort()
    this.push('call.canceled', reason, (device) => device.id !== answeredBy)
  }

  /** The call is over: notifies the device that answered. */
  ended(reason: EndReason): void {
    const { answeredBy } = this
    this.cancel(reason)
    this.answeredBy = undefined
    if (answeredBy !== undefined) this.push('call.ended', reason, (device) => device.id === answeredBy)
  }

  private async ring(device: PushDevice): Promise<boolean> {
    const { sender, request, deadline } = this
    const fields = ringFields(request.call, request.mintToken(device))
    const expiresAt = new Date(deadline)
    const outcome = await sender.ring(device, { fields, expiresAt }, deadline, this.over.signal)
    return mayHaveArrived(outcome)
  }

  private push(
    event: 'call.canceled' | 'call.ended',
    reason: EndReason,
    concerns: (device: PushDevice) => boolean,
  ): void {
    const now = Date.now()
    const fields = endFields(this.request.call, event, reason, new Date(now))
    const end = { fields, expiresAt: new Date(now + endLifetimeMs) }
    const deadline = Math.max(this.deadline, now + endTriesMs)
    const notifying = this.rung.then(async (rung) => {
      const concerned = rung.filter(({ device }) => concerns(device))
      await Promise.all(
        concerned.map(async ({ device, reached }) => {
          if (await reached) await this.sender.end(device, end, deadline)
        }),
      )
    })
    this.sender.track(notifying)
  }
}

/** After a time-out the push may have arrived. */
function mayHaveArrived(outcome: PushOutcome | null): boolean {
  return outcome?.kind === 'sent' || outcome?.kind === 'failed'
}
