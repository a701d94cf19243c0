/** Phones that hand their calls over by their own key (REFER, RFC 3515): as their people do with the API. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ApiError } from '../http/errors.js'
import type { Channel } from '../switch/channel.js'
import type { Switchboard } from '../switch/switchboard.js'
import type { CallStore } from './call-store.js'
import type { LiveCall } from './live-call.js'
import type { Phones } from './phones.js'
import type { TransferService } from './transfer.service.js'

/** As the edge tells of it. */
interface Referral {
  readonly sipCallId: string
  readonly cseq: number
  readonly to: string
  answer(accepted: boolean): void
}

interface Services {
  switchboard: Pick<Switchboard, 'ofDialog'>
  /** The running call of a channel. */
  readonly callOf: (channelId: string) => LiveCall | undefined
  store: Pick<CallStore, 'legsOf'>
  phones: Pick<Phones, 'find' | 'nameOf'>
  transfers: Pick<TransferService, 'start'>
  log: Logger
}

/** The phone has the answer before it hears what came of it, which goes another way. */
const answerMs = 50

export class PhoneReferrals {
  constructor(private readonly services: Services) {}

  /** Hands a phone's call over, or declines; never throws. Another server may have the call: it answers. */
  async take(referral: Referral): Promise<void> {
    const { switchboard, callOf, log } = this.services
    const channel = switchboard.ofDialog(referral.sipCallId)
    const call = channel && callOf(channel.id)
    if (!channel || !call) return
    const isAccepted = await this.handOver(call, channel, referral.to).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status < 500))
        log.warn({ err: error, call: call.call.id }, 'a phone could not hand its call over')
      return false
    })
    referral.answer(isAccepted)
    if (!isAccepted) return
    await sleep(answerMs)
    // What the phone is told is that it may leave; it is rung again when nobody is reached.
    if (channel.end) return
    await channel.tellReferred(referral.cseq).catch((error: unknown) => {
      log.warn({ err: error, call: call.call.id }, 'a phone was not told that it may leave')
    })
  }

  /** @returns false for a phone that may not @throws what the API would answer */
  private async handOver({ call }: LiveCall, channel: Channel, target: string): Promise<boolean> {
    const { store, phones, transfers } = this.services
    const workspace = { id: call.workspace_id }
    const leg = (await store.legsOf(call.id)).find(({ channel_id }) => channel_id === channel.id)
    const id = leg?.agent_id ?? leg?.sip_account_id
    const phone = id && leg?.role !== 'supervisor' ? await phones.find(workspace, id) : null
    if (!phone) return false
    const by = { id: phone.id, username: await phones.nameOf(phone), channelId: channel.id }
    await transfers.start(workspace, call.id, by, { target })
    return true
  }
}
