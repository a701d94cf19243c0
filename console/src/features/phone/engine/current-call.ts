/** The page's current call, and its state on screen. */
import { AppCall } from '../../../media/app-call'
import { openMicrophone } from '../../../media/microphone'
import type { Unreached } from './call-outcome'
import { type Handover, Handovers, isUnderWay } from './handover'
import { type CallKind, type KeptCall, type Party, forgetCall, keepCall } from './kept-call'
import { soundChoice } from './sound-choice'

export type SupervisionMode = 'listen' | 'whisper' | 'barge'

/** What is known about a call at its start. */
export interface CallBeginning {
  readonly callId: string
  readonly kind: CallKind
  readonly other: Party
  readonly wsUrl: string
  readonly token: string
  readonly mode?: SupervisionMode
  /** State from before a reload of the page. */
  readonly before?: KeptCall
}

export interface CurrentCall {
  readonly callId: string
  readonly kind: CallKind
  readonly other: Party
  readonly mode?: SupervisionMode
  /** Time of the answer, in milliseconds since 1970; null until the other side answers. */
  readonly since: number | null
  /** A transfer of this call, and its state. */
  readonly handover: Handover | null
  readonly handovers: Handovers
  readonly call: AppCall
}

/** A call that has ended, shown for a moment. */
export interface PastCall {
  readonly callId: string
  readonly other: Party
  /** One of media/ended-texts.ts; unknown ones count as a failure. */
  readonly reason: string
  readonly talkedMs: number
  /** The called party of an outgoing call has not answered. */
  readonly isUnanswered: boolean
}

interface Listener {
  changed(current: CurrentCall): void
  over(past: PastCall): void
}

export class CallKeeper {
  private shown: CurrentCall
  private token: string
  /** Outgoing calls wait for the other side's answer; all others start talking when this side joins. */
  private readonly awaitsAnswer: boolean
  private why: Unreached | undefined
  private keptMuted: boolean

  constructor(
    private readonly beginning: CallBeginning,
    sound: MediaStream,
    private readonly listener: Listener,
  ) {
    const { callId, kind, other, wsUrl, token, mode, before } = beginning
    this.token = token
    this.keptMuted = before?.isMuted ?? false
    this.awaitsAnswer = kind === 'outbound' && !before
    const call = new AppCall({ ws_url: wsUrl, call_token: token }, sound, {
      reopen: async () => openMicrophone(soundChoice().microphoneId),
      isMuted: this.keptMuted,
      isBack: before !== undefined,
    })
    const { speakerId } = soundChoice()
    if (speakerId) void call.playAt(speakerId).catch(() => undefined)
    const handover = before?.handover ?? null
    const handovers = new Handovers(callId, handover, (next) => this.change({ handover: next }))
    const since = before?.since ?? null
    this.shown = { callId, kind, other, since, call, handover, handovers, ...(mode && { mode }) }
    call.onToken((newest) => {
      this.token = newest
      this.keep()
    })
    call.subscribe(() => this.followed())
  }

  get current(): CurrentCall {
    return this.shown
  }

  /** The other side has answered. */
  answered(): void {
    if (this.awaitsAnswer) this.talksSince(Date.now())
  }

  /** The other side has not answered: the end event follows. */
  unreached(why: Unreached): void {
    if (this.isUnanswered) this.why = why
  }

  supervisesBy(mode: SupervisionMode): void {
    this.change({ mode })
  }

  private followed(): void {
    const { state } = this.shown.call
    if (state.at === 'talking' && !this.awaitsAnswer) this.talksSince(state.since)
    if (state.at === 'talking' && state.isMuted !== this.keptMuted) this.keep()
    if (state.at !== 'ended') return
    forgetCall()
    this.shown.handovers.close()
    const { callId, since, other } = this.shown
    const talkedMs = since === null ? 0 : Date.now() - since
    const { isUnanswered, why } = this
    this.listener.over({ callId, other, reason: why ?? state.reason, talkedMs, isUnanswered })
  }

  private get isUnanswered(): boolean {
    return this.awaitsAnswer && this.shown.since === null
  }

  private talksSince(since: number): void {
    if (this.shown.since === null) this.change({ since })
  }

  private change(changed: Partial<CurrentCall>): void {
    this.shown = { ...this.shown, ...changed }
    this.keep()
    this.listener.changed(this.shown)
  }

  /** Only an answered call can be resumed after a reload; a supervision never can. */
  private keep(): void {
    const { callId, kind, other, since, handover, call } = this.shown
    const { state } = call
    if (state.at !== 'talking' || kind === 'supervision') return
    this.keptMuted = state.isMuted
    const { wsUrl } = this.beginning
    keepCall({
      ...{ callId, kind, other, since, wsUrl, token: this.token, isMuted: this.keptMuted },
      handover: handover && isUnderWay(handover) ? handover : null,
    })
  }
}
