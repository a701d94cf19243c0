/** Call transfers by a phone's own key (REFER, RFC 3515): the same as over the API. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { ApiError } from '../../../infrastructure/http/errors.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { CallStore } from '../model/call-store.js'
import type { LiveCall } from './live-call.js'
import type { Phones } from '../routing/phones.js'
import type { TransferService } from './transfer.service.js'

/** As reported by the SIP edge. */
interface Referral {
  readonly sipCallId: string
  readonly cseq: number
  readonly to: string | null
  readonly replaced: string | null
  answer(accepted: boolean): void
}

interface Services {
  switchboard: Pick<Switchboard, 'ofDialog'>
  /** The running call of a channel. */
  readonly callOf: (channelId: string) => LiveCall | undefined
  store: Pick<CallStore, 'legsOf'>
  phones: Pick<Phones, 'find' | 'nameOf'>
  transfers: Pick<TransferService, 'start' | 'join'>
  log: Logger
}

/** Time for the 202 to reach the phone before the NOTIFY, which takes another path. */
const answerMs = 50

export class PhoneReferrals {
  constructor(private readonly services: Services) {}

  /** Transfers a phone's call, or declines; never throws. If another server has the call, that one answers. */
  async take(referral: Referral): Promise<void> {
    const { switchboard, callOf, log } = this.services
    const channel = switchboard.ofDialog(referral.sipCallId)
    const call = channel && callOf(channel.id)
    if (!channel || !call) return
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const isAccepted = await this.handOver(call, channel, referral, released).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status < 500))
        log.warn(
          { event: 'phone_call.transfer_failed', err: error, call: call.call.id },
          'the transfer by a phone failed',
        )
      return false
    })
    referral.answer(isAccepted)
    if (isAccepted) await this.notify(call, channel, referral.cseq)
    release()
  }

  /** A NOTIFY releases the phone; it is rung again if the target does not answer. */
  private async notify(call: LiveCall, channel: Channel, cseq: number): Promise<void> {
    await sleep(answerMs)
    if (channel.end) return
    await channel.notifyReferred(cseq).catch((error: unknown) => {
      this.services.log.warn(
        { event: 'phone_call.notify_failed', err: error, call: call.call.id },
        'sending NOTIFY to a phone failed',
      )
    })
  }

  /**
   * @param released resolves when the phone may leave
   * @returns false if the phone may not transfer
   * @throws what the API would answer
   */
  private async handOver(
    live: LiveCall,
    channel: Channel,
    { to, replaced }: Referral,
    released: Promise<void>,
  ): Promise<boolean> {
    const { phones, transfers } = this.services
    const workspace = { id: live.call.workspace_id }
    const id = await this.phoneAt(live, channel)
    const phone = id === null ? null : await phones.find(workspace, id)
    if (!phone) return false
    const by = { id: phone.id, username: await phones.nameOf(phone) }
    if (to !== null) {
      await transfers.start(workspace, live.call.id, { ...by, channelId: channel.id }, { target: to })
      return true
    }
    const other = await this.ownCall(workspace, phone.id, replaced ?? '')
    if (!other) return false
    return transfers.join(workspace, by, [other, { call: live, channelId: channel.id }], released)
  }

  /** Another call of the transferring phone, by its Call-ID. */
  private async ownCall(workspace: Owner, phoneId: string, sipCallId: string) {
    const channel = this.services.switchboard.ofDialog(sipCallId)
    const live = channel && this.services.callOf(channel.id)
    if (!channel || live?.call.workspace_id !== workspace.id) return null
    return (await this.phoneAt(live, channel)) === phoneId ? { call: live, channelId: channel.id } : null
  }

  /** The agent or SIP account whose phone is at the end of a channel; null for others, and for supervisors. */
  private async phoneAt({ call }: LiveCall, channel: Channel): Promise<string | null> {
    const leg = (await this.services.store.legsOf(call.id)).find(
      ({ channel_id }) => channel_id === channel.id,
    )
    if (!leg || leg.role === 'supervisor') return null
    return leg.agent_id ?? leg.sip_account_id
  }
}
