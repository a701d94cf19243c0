import { Reply, type ReplyEvents, type ReplyParts } from './reply.js'

/** Calls of tools in a row without a word of the caller: a model that does not find its way out is made to speak. */
const maxToolRounds = 8

/** Most texts that wait to be said. */
const maxWaiting = 16

/** What is to be said: a text, or `null` for the chat model's answer. */
interface Wanted {
  readonly text: string | null
  /** Left out of the chat model's conversation. */
  readonly isAside?: boolean
}

export interface RepliesEvents extends ReplyEvents {
  responded(): void
  /** The model has answered with nothing. */
  saidNothing(): void
  failed(error: unknown): void
}

/** The responses of a voice agent, one after another. */
export class Replies {
  private waiting: Wanted[] = []
  private running: Reply | null = null
  private toolRounds = 0
  /** Answers in a row with nothing in them. */
  private empty = 0

  /** @param askAgain what is said when nothing was answered twice */
  constructor(
    private readonly parts: ReplyParts,
    private readonly newId: () => string,
    private readonly askAgain: string,
    private readonly events: RepliesEvents,
  ) {}

  /** Something is being made. */
  get isRunning(): boolean {
    return this.running !== null
  }

  /** Says exactly this, after what is being said. */
  say(text: string): void {
    this.add({ text })
  }

  /** Says exactly this too, and leaves it out of the conversation: between the call of a tool and its answer. */
  bridge(text: string): void {
    this.add({ text, isAside: true })
  }

  private add(wanted: Wanted): void {
    if (this.waiting.length >= maxWaiting) this.waiting.shift()
    this.waiting.push(wanted)
    this.next()
  }

  /** Has the chat model answer, after what is being said. */
  answer(): void {
    // Once is enough: the model gets the whole conversation.
    if (this.waiting.at(-1)?.text !== null) this.waiting.push({ text: null })
    this.next()
  }

  /** The caller has said something: an answer to what they said before is worth nothing any more. */
  answerCaller(): void {
    this.toolRounds = 0
    this.waiting = this.waiting.filter(({ text }) => text !== null)
    if (this.running?.given === null) {
      this.parts.conversation.interrupted(null, 0)
      this.running.stop()
    }
    this.answer()
  }

  /** Ends the answer under way of which nothing was to be heard yet. @returns whether there was one */
  stopUnheard(): boolean {
    const { running } = this
    const isUnheard = running?.given === null && !running.hasMadeSound
    if (isUnheard) this.stop()
    return isUnheard
  }

  /** Ends what is under way, and what waits. */
  stop(): void {
    this.waiting = []
    this.running?.stop()
  }

  private next(): void {
    if (this.running) return
    const wanted = this.waiting.shift()
    if (!wanted) return
    const reply = this.make(wanted)
    this.running = reply
    void reply
      .run()
      .then(
        () => {
          if (wanted.text !== null || !this.isAskedAgain(reply)) this.events.responded()
        },
        (error: unknown) => {
          this.waiting = []
          this.events.failed(error)
        },
      )
      .finally(() => {
        this.running = null
        this.next()
      })
  }

  /**
   * After an answer with nothing in it the caller is not left to wait: another one is asked for, and then a sentence is
   * said.
   */
  private isAskedAgain(reply: Reply): boolean {
    if (!reply.isEmpty) {
      this.empty = 0
      return false
    }
    this.events.saidNothing()
    this.empty += 1
    if (this.empty > 2) return false
    if (this.waiting.length === 0) this.waiting.push({ text: this.empty === 1 ? null : this.askAgain })
    return true
  }

  private make({ text, isAside = false }: Wanted): Reply {
    const mayCall = this.toolRounds < maxToolRounds
    return new Reply({ text, isAside, mayCall }, this.newId(), this.parts, {
      ...this.events,
      toolCall: (call) => {
        this.toolRounds += 1
        this.events.toolCall(call)
      },
    })
  }
}
