/**
 * The agent's phone: what rings, and the one call that this page has. It belongs to the page, not to a component: a call
 * goes on from page to page.
 */
import { dataOf } from '@jackfield/sdk'
import { useSyncExternalStore } from 'react'
import { api } from '../../api/client'
import { AppCall } from '../../media/app-call'
import { openMicrophone } from '../../media/microphone'
import { type LiveEvent } from '../../live/live-stream'
import { onPersonChange, sessionNow } from '../../session/session'
import { type Handover, Handovers } from './engine/handover'
import { type CallKind, type Party, forgetCall, keepCall, keptCall, leftCall } from './engine/kept-call'
import { type Ring, type RingWords, Rings } from './engine/rings'
import { chooseSound, soundChoice } from './engine/sound-choice'

export type { Handover } from './engine/handover'
export type { Party } from './engine/kept-call'
export type { Ring } from './engine/rings'

export type SupervisionMode = 'listen' | 'whisper' | 'barge'

/** The call that this page is in. */
export interface CurrentCall {
  readonly callId: string
  readonly kind: CallKind
  readonly other: Party
  readonly mode?: SupervisionMode
  /** When the talk began, in milliseconds since 1970; null until the other side answers. */
  readonly since: number | null
  /** What comes of handing it over. */
  readonly handover: Handover | null
  readonly handovers: Handovers
  readonly call: AppCall
}

/** A call that is over, for a moment. */
export interface PastCall {
  readonly other: Party
  readonly reason: string
  readonly talkedMs: number
}

export interface PhoneState {
  readonly rings: readonly Ring[]
  readonly current: CurrentCall | null
  readonly past: PastCall | null
  /** The microphone, and a call, are asked for. */
  readonly isStarting: boolean
}

/** What was told of a call that is over stands for so long. */
const pastShownMs = 8_000

/** Of so many calls that this page has had, the end is known as one's own. */
const rememberedCalls = 20

class Phone {
  private state: PhoneState = { rings: [], current: null, past: null, isStarting: false }
  private readonly listeners = new Set<() => void>()
  private readonly rings = new Rings((rings) => this.change({ rings }))
  /** Ids of calls that this page has, had, or was rung for, the latest last. */
  private ours: string[] = []
  private pastTimer: number | undefined

  constructor() {
    onPersonChange(() => this.reset())
    // Asked before a page that has a call is left.
    window.addEventListener('beforeunload', (event) => {
      if (this.state.current) event.preventDefault()
    })
  }

  snapshot = (): PhoneState => this.state

  /** @returns what ends it */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  get current(): CurrentCall | null {
    return this.state.current
  }

  /** How notifications of calls read, in the language of the page. */
  sayRings(words: RingWords): void {
    this.rings.words = words
  }

  /** Takes what the event stream tells of calls; returns whether it is of a call of this phone. */
  told(event: LiveEvent): boolean {
    const callId = String(event['call_id'])
    switch (event.event) {
      case 'call.ring':
        this.rung({
          callId,
          from: event['from'] as Party,
          to: event['to'] as Party,
          wsUrl: String(event['ws_url']),
          token: String(event['call_token']),
        })
        break
      case 'call.answered':
        if (this.current?.callId === callId && this.current.kind === 'outbound') this.talksSince(Date.now())
        break
      case 'call.canceled':
      case 'call.ended':
        this.rings.remove(callId)
        break
    }
    return this.ours.includes(callId)
  }

  /** Takes a call that rings. @throws {MicrophoneError} it rings on then */
  async answer({ callId, wsUrl, token, from }: Ring): Promise<void> {
    await this.starting(async () => {
      const sound = await openMicrophone(soundChoice().microphoneId)
      // Others may have been quicker while the person was asked for the microphone.
      if (!this.rings.has(callId)) {
        stopAll(sound)
        return
      }
      this.rings.taken(callId)
      this.enter({ callId, kind: 'inbound', other: from, since: null }, { wsUrl, token }, sound)
    })
  }

  /** Does not want a call, on none of the agent's devices. */
  async reject({ callId }: Ring): Promise<void> {
    await dataOf(
      api.POST('/call-center/calls/{call_id}/reject', { params: { path: { call_id: callId } }, body: {} }),
    )
    this.rings.taken(callId)
  }

  /**
   * Calls a number, an extension, or the username of an agent or a SIP account.
   * @param from the number that is shown; '' for the oldest that the agent may use
   * @throws {MicrophoneError}, {ApiError}
   */
  async dial(to: string, from: string, name = ''): Promise<void> {
    await this.starting(async () => {
      const sound = await openMicrophone(soundChoice().microphoneId)
      try {
        const body = { to, from, type: 'audio' as const }
        const made = await dataOf(api.POST('/call-center/calls/make', { body }))
        this.enter(
          { callId: made.call_id, kind: 'outbound', other: { number: to, name }, since: null },
          { wsUrl: made.ws_url, token: made.call_token },
          sound,
        )
      } catch (error) {
        stopAll(sound)
        throw error
      }
    })
  }

  /**
   * Comes to a call that a supervisor hears, with the token that the API has answered.
   * @throws {MicrophoneError}
   */
  async supervise(
    started: { call_id: string; call_token: string; mode: SupervisionMode },
    other: Party = { number: started.call_id, name: '' },
  ): Promise<void> {
    const { current } = this
    if (current?.callId === started.call_id && current.kind === 'supervision') {
      this.change({ current: { ...current, mode: started.mode } })
      return
    }
    await this.starting(async () => {
      const sound = await openMicrophone(soundChoice().microphoneId)
      const wsUrl = `${location.origin.replace(/^http/, 'ws')}/api/v1/calls/${started.call_id}/session`
      this.enter(
        { callId: started.call_id, kind: 'supervision', other, since: null, mode: started.mode },
        { wsUrl, token: started.call_token },
        sound,
      )
    })
  }

  /** Comes back to the call that this tab had before it was loaded anew. @throws {MicrophoneError} */
  async comeBack(): Promise<void> {
    if (this.current || sessionNow()?.kind !== 'agent') return
    const kept = leftCall()
    if (!kept) return
    const { callId, kind, other, since, wsUrl, token } = kept
    await this.starting(async () => {
      const sound = await openMicrophone(soundChoice().microphoneId)
      this.enter({ callId, kind, other, since }, { wsUrl, token }, sound)
    })
  }

  hangUp(): void {
    this.current?.call.hangUp()
  }

  dismissPast(): void {
    window.clearTimeout(this.pastTimer)
    this.change({ past: null })
  }

  /** Another microphone, from now on. @throws {MicrophoneError} when it is not to be had: the one before stays */
  async chooseMicrophone(microphoneId: string | undefined): Promise<void> {
    const { current } = this
    if (current) await current.call.speakInto(await openMicrophone(microphoneId))
    chooseSound({ ...soundChoice(), microphoneId })
  }

  /** Other speakers, from now on. */
  async chooseSpeaker(speakerId: string | undefined): Promise<void> {
    await this.current?.call.playAt(speakerId ?? '')
    chooseSound({ ...soundChoice(), speakerId })
  }

  private rung(ring: Ring): void {
    if (this.current?.callId === ring.callId) return
    this.isOurs(ring.callId)
    this.rings.add(ring, this.current === null)
  }

  private isOurs(callId: string): void {
    this.ours = [...this.ours.filter((one) => one !== callId), callId].slice(-rememberedCalls)
  }

  /** One thing at a time: a second click does nothing. */
  private async starting(work: () => Promise<void>): Promise<void> {
    if (this.state.isStarting || this.current) return
    this.change({ isStarting: true })
    try {
      await work()
    } finally {
      this.change({ isStarting: false })
    }
  }

  private enter(
    about: Omit<CurrentCall, 'call' | 'handover' | 'handovers'>,
    { wsUrl, token }: { wsUrl: string; token: string },
    sound: MediaStream,
  ): void {
    const call = new AppCall({ ws_url: wsUrl, call_token: token }, sound, true)
    const { speakerId } = soundChoice()
    if (speakerId) void call.playAt(speakerId).catch(() => undefined)
    window.clearTimeout(this.pastTimer)
    this.rings.silence()
    this.isOurs(about.callId)
    const handovers = new Handovers(about.callId, (handover) => {
      const { current } = this
      if (current?.call === call) this.change({ current: { ...current, handover } })
    })
    this.change({ current: { ...about, call, handover: null, handovers }, past: null })
    call.onToken((newest) => this.keep({ wsUrl, token: newest }))
    call.subscribe(() => this.followed(call))
  }

  private followed(call: AppCall): void {
    const { current } = this
    if (current?.call !== call) return
    const { state } = call
    // Who is called has to answer yet; in all other calls the talk begins with ours.
    if (state.at === 'talking' && current.since === null && current.kind !== 'outbound')
      this.talksSince(state.since)
    if (state.at !== 'ended') return
    forgetCall()
    current.handovers.close()
    const { since, other } = current
    const talkedMs = since === null ? 0 : Date.now() - since
    this.change({ current: null, past: { other, reason: state.reason, talkedMs } })
    window.clearTimeout(this.pastTimer)
    this.pastTimer = window.setTimeout(() => this.change({ past: null }), pastShownMs)
  }

  private talksSince(since: number): void {
    const { current } = this
    if (!current || current.since !== null) return
    this.change({ current: { ...current, since } })
    const kept = keptCall()
    if (kept?.callId === current.callId) keepCall({ ...kept, since })
  }

  private keep(way: { wsUrl: string; token: string }): void {
    const { current } = this
    if (!current || current.kind === 'supervision') return
    const { callId, kind, other, since } = current
    keepCall({ callId, kind, other, since, ...way })
  }

  private reset(): void {
    this.rings.clear()
    this.current?.call.close()
    this.change({ past: null })
  }

  private change(changed: Partial<PhoneState>): void {
    this.state = { ...this.state, ...changed }
    for (const listener of this.listeners) listener()
  }
}

function stopAll(sound: MediaStream): void {
  for (const track of sound.getTracks()) track.stop()
}

export const phone = new Phone()

export function usePhone(): PhoneState {
  return useSyncExternalStore(phone.subscribe, phone.snapshot)
}
