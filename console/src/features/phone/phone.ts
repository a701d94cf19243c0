/**
 * The agent's phone: ringing calls, and this page's current call. It belongs to the page, not to a component: a call
 * continues across route changes.
 */
import { ApiError, dataOf } from '@jackfield/sdk'
import { useSyncExternalStore } from 'react'
import { api } from '../../api/client'
import { openMicrophone } from '../../media/microphone'
import { stopSound } from '../../media/sound'
import { Watched } from '../../api/watched'
import { onPersonChange, sessionNow } from '../../session/session'
import { CallNews } from './engine/call-news'
import {
  type CallBeginning,
  CallKeeper,
  type CurrentCall,
  type PastCall,
  type SupervisionMode,
} from './engine/current-call'
import { type Party, leftCall } from './engine/kept-call'
import { Ringer } from './engine/ringer'
import { type Ring, type RingWords, Rings } from './engine/rings'
import { chooseSound, soundChoice } from './engine/sound-choice'
import { Windows } from './engine/windows'

export type { CurrentCall, PastCall, SupervisionMode } from './engine/current-call'
export type { Ring } from './engine/rings'

export interface PhoneState {
  readonly rings: readonly Ring[]
  readonly current: CurrentCall | null
  readonly past: PastCall | null
  /** Waiting for the microphone or for the call. */
  readonly isStarting: boolean
  /** This window, or another one of this browser, has a call. */
  readonly isBusy: boolean
}

/** How long the result of an ended call stays on screen. */
const pastShownMs = 8_000

/** Statuses with which the API answers the rejection of a call that no longer rings. */
const ringsNoMore = new Set([403, 404, 409])

/** Ends of a leg that do not say that the call has ended, or was taken. */
const connectionFailures = new Set([
  ...['failed', 'no_sound', 'timeout'],
  ...['internal', 'not_ready', 'unavailable', 'not_connected', 'rate_limited', 'too_many_errors'],
])

/** Whether an answered call still rings: its media is not connected yet. */
function isConnecting({ kind, since }: CurrentCall): boolean {
  return kind === 'inbound' && since === null
}

class Phone extends Watched<PhoneState> {
  private readonly rings = new Rings((rings) => this.change({ rings }))
  private talksElsewhere = false
  private readonly windows = new Windows((talksElsewhere) => {
    this.talksElsewhere = talksElsewhere
    this.change({})
  })
  private readonly ringer = new Ringer()
  private keeper: CallKeeper | undefined
  readonly news = new CallNews(this.rings, {
    current: () => this.state.current,
    answered: (callId) => this.state.current?.callId === callId && this.keeper?.answered(),
    unreached: (callId, why) => {
      const { current, past } = this.state
      if (current?.callId === callId) this.keeper?.unreached(why)
      else if (past?.callId === callId && past.isUnanswered) this.change({ past: { ...past, reason: why } })
    },
  })
  private pastTimer: number | undefined

  constructor() {
    super({ rings: [], current: null, past: null, isStarting: false, isBusy: false })
    onPersonChange(() => this.reset())
    // Ask before the page is left during a call.
    window.addEventListener('beforeunload', (event) => {
      if (this.state.current) event.preventDefault()
    })
  }

  /** Texts of call notifications, in the page's language. */
  sayRings(words: RingWords): void {
    this.rings.words = words
  }

  /** Answers a ringing call. @throws {MicrophoneError} the call keeps ringing then */
  async answer({ callId, wsUrl, token, from }: Ring): Promise<void> {
    await this.starting(async () => {
      const sound = await openMicrophone(soundChoice().microphoneId)
      // Another agent may have answered during the permission prompt.
      if (!this.rings.has(callId)) {
        stopSound(sound)
        return
      }
      this.enter({ callId, kind: 'inbound', other: from, wsUrl, token }, sound)
    })
  }

  /** Rejects a call on all of the agent's devices. */
  async reject({ callId }: Ring): Promise<void> {
    const request = { params: { path: { call_id: callId } }, body: {} }
    await dataOf(api.POST('/call-center/calls/{call_id}/reject', request)).catch((error: unknown) => {
      if (!(error instanceof ApiError && ringsNoMore.has(error.status))) throw error
    })
    this.rings.taken(callId)
  }

  /**
   * Calls a number, an extension, or the username of an agent or a SIP account.
   * @param from the caller id; '' for the oldest number that the agent may use
   * @throws {MicrophoneError}, {ApiError}
   */
  async dial(to: string, from: string, name = ''): Promise<void> {
    await this.starting(async () => {
      const sound = await openMicrophone(soundChoice().microphoneId)
      try {
        const body = { to, from, type: 'audio' as const }
        const made = await dataOf(api.POST('/call-center/calls/make', { body }))
        const { call_id: callId, ws_url: wsUrl, call_token: token } = made
        this.enter({ callId, kind: 'outbound', other: { number: to, name }, wsUrl, token }, sound)
      } catch (error) {
        stopSound(sound)
        throw error
      }
    })
  }

  /**
   * Joins a call as supervisor, with the token from the API.
   * @throws {MicrophoneError}
   */
  async supervise(
    {
      call_id: callId,
      call_token: token,
      mode,
    }: { call_id: string; call_token: string; mode: SupervisionMode },
    other: Party = { number: callId, name: '' },
  ): Promise<void> {
    const { current } = this.state
    if (current?.callId === callId && current.kind === 'supervision') {
      this.keeper?.supervisesBy(mode)
      return
    }
    await this.starting(async () => {
      const sound = await openMicrophone(soundChoice().microphoneId)
      const wsUrl = `${location.origin.replace(/^http/, 'ws')}/api/v1/calls/${callId}/session`
      this.enter({ callId, kind: 'supervision', other, wsUrl, token, mode }, sound)
    })
  }

  /** Resumes the call that this tab had before a reload. @throws {MicrophoneError} */
  async comeBack(): Promise<void> {
    if (this.state.current || sessionNow()?.kind !== 'agent') return
    const before = leftCall()
    if (!before) return
    await this.starting(async () => {
      this.enter({ ...before, before }, await openMicrophone(soundChoice().microphoneId))
    })
  }

  /** Ends the current call; one that is not connected yet still rings, and is rejected. */
  hangUp(): void {
    const { current, rings } = this.state
    const ring = current && isConnecting(current) && rings.find(({ callId }) => callId === current.callId)
    if (ring) {
      this.rings.taken(ring.callId)
      // If it cannot be rejected, it rings here again.
      this.reject(ring).catch(() => this.rings.add(ring))
    }
    current?.call.hangUp()
  }

  dismissPast(): void {
    window.clearTimeout(this.pastTimer)
    this.change({ past: null })
  }

  /** Switches the microphone. @throws {MicrophoneError} if it cannot be opened: the previous one stays */
  async chooseMicrophone(microphoneId: string | undefined): Promise<void> {
    const { current } = this.state
    if (current) await current.call.speakInto(await openMicrophone(microphoneId))
    chooseSound({ ...soundChoice(), microphoneId })
  }

  /** Switches the speakers. */
  async chooseSpeaker(speakerId: string | undefined): Promise<void> {
    await this.state.current?.call.playAt(speakerId ?? '')
    chooseSound({ ...soundChoice(), speakerId })
  }

  /** Runs one action at a time: a second click does nothing. */
  private async starting(work: () => Promise<void>): Promise<void> {
    if (this.state.isStarting || this.state.current) return
    this.change({ isStarting: true })
    try {
      await work()
    } finally {
      this.change({ isStarting: false })
    }
  }

  private enter(beginning: CallBeginning, sound: MediaStream): void {
    window.clearTimeout(this.pastTimer)
    this.news.isOurs(beginning.callId)
    const keeper = new CallKeeper(beginning, sound, {
      changed: (current) => {
        if (this.keeper !== keeper) return
        if (!isConnecting(current)) this.rings.taken(current.callId)
        this.change({ current })
      },
      over: (past) => {
        if (this.keeper === keeper) this.left(past)
      },
    })
    this.keeper = keeper
    this.change({ current: keeper.current, past: null })
  }

  private left(past: PastCall): void {
    this.keeper = undefined
    // Where the connection failed, the call rings on, and can be answered again.
    if (!connectionFailures.has(past.reason)) this.rings.remove(past.callId)
    this.change({ current: null, past })
    window.clearTimeout(this.pastTimer)
    this.pastTimer = window.setTimeout(() => this.change({ past: null }), pastShownMs)
  }

  private reset(): void {
    this.rings.clear()
    this.state.current?.call.close()
    this.dismissPast()
  }

  private change(changed: Partial<PhoneState>): void {
    const { current } = { ...this.state, ...changed }
    const isBusy = current !== null || this.talksElsewhere
    this.set({ ...this.state, ...changed, isBusy })
    this.windows.talks(current !== null)
    // No ring tone during a call.
    this.ringer.ringFor(isBusy ? [] : this.rings.notices)
  }
}

export const phone = new Phone()

export function usePhone(): PhoneState {
  return useSyncExternalStore(phone.subscribe, phone.snapshot)
}
