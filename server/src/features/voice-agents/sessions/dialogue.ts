/**
 * What is said in a session, in the order in which it was said. The text of an utterance comes when it can: that of a
 * caller often after the answer to it. Whatever comes later waits for it, for a while.
 */
import type { Said } from '../../voice-agent-sessions/said.js'

interface Turn {
  readonly speaker: Said['speaker']
  readonly at: Date
  /** The voice agent's utterance; null for the caller's. */
  readonly itemId: string | null
  text: string | null
  isInterrupted: boolean
  /** It does not change any more. */
  isSettled: boolean
  /** When to stop waiting for its text, in milliseconds since the epoch; null while it is being spoken. */
  until: number | null
}

/** A text that has not come this long after its utterance does not come: it was a cough. */
const patienceMs = 6_000

/** Characters of one utterance that are kept. */
const maxText = 16_000

export class Dialogue {
  private turns: Turn[] = []
  private timer: NodeJS.Timeout | undefined

  /** @param onSaid called for every utterance, in order */
  constructor(private readonly onSaid: (said: Said) => void) {}

  /** The caller begins to speak. */
  callerSpeaks(): void {
    const last = this.turns.at(-1)
    // The caller has only paused.
    if (last?.speaker === 'caller' && last.text === null) {
      last.until = null
      return
    }
    this.callerPauses()
    this.add('caller', null)
  }

  callerPauses(): void {
    const turn = this.turns.findLast(({ speaker, text }) => speaker === 'caller' && text === null)
    if (turn) turn.until ??= Date.now() + patienceMs
    this.settle()
  }

  /** The caller's words. */
  heard(text: string): void {
    const waiting = this.turns.find((turn) => turn.speaker === 'caller' && turn.text === null)
    const turn = waiting ?? this.add('caller', null)
    turn.text = text
    turn.isSettled = true
    this.settle()
  }

  /** The voice agent begins an utterance; harmless when it has. */
  voiceAgentSpeaks(itemId: string): void {
    if (!this.turnOf(itemId)) this.add('voice_agent', itemId)
  }

  said(text: string, itemId: string): void {
    const turn = this.turnOf(itemId)
    if (!turn || turn.text !== null) return
    turn.text = text
    this.settle()
  }

  /** An utterance was heard to its end. */
  wasHeard(itemId: string): void {
    this.close(itemId, false)
  }

  /** @param heardMs 0: the caller has not heard any of it, and it was not said */
  wasInterrupted(itemId: string, heardMs: number): void {
    if (heardMs > 0) this.close(itemId, true)
    else this.turns = this.turns.filter((turn) => turn.itemId !== itemId)
    this.settle()
  }

  /** Reports all that is left; nothing follows. */
  end(): void {
    clearTimeout(this.timer)
    for (const turn of this.turns.splice(0)) this.report(turn)
  }

  private close(itemId: string, isInterrupted: boolean): void {
    const turn = this.turnOf(itemId)
    if (!turn || turn.isSettled) return
    Object.assign(turn, { isInterrupted, isSettled: true, until: Date.now() + patienceMs })
    this.settle()
  }

  private add(speaker: Said['speaker'], itemId: string | null): Turn {
    const turn = { speaker, itemId, at: new Date(), text: null, isInterrupted: false }
    const added: Turn = { ...turn, isSettled: false, until: null }
    this.turns.push(added)
    return added
  }

  private turnOf(itemId: string): Turn | undefined {
    return this.turns.find((turn) => turn.itemId === itemId)
  }

  private settle(): void {
    clearTimeout(this.timer)
    for (let [first] = this.turns; first && isOver(first); [first] = this.turns) {
      this.turns.shift()
      this.report(first)
    }
    const until = this.turns[0]?.until
    if (until !== undefined && until !== null)
      this.timer = setTimeout(() => this.settle(), Math.max(0, until - Date.now()))
  }

  private report({ speaker, text, isInterrupted, at }: Turn): void {
    const plain = text?.trim().slice(0, maxText)
    if (plain) this.onSaid({ speaker, text: plain, isInterrupted, at })
  }
}

function isOver({ isSettled, text, until }: Turn): boolean {
  if (isSettled && text !== null) return true
  return until !== null && until <= Date.now()
}
