/** Requests that have been sent and not answered, by sequence_number (SMPP 3.4, 3.2 and 2.7). */
import { COMMANDS, answerTo, type Pdu } from './pdu.js'

/** Why there is no answer. */
export class NoAnswerError extends Error {
  constructor(readonly reason: 'timeout' | 'line_lost') {
    super(reason === 'timeout' ? 'no answer in time' : 'the line was lost')
  }
}

interface Request {
  readonly command: number
  readonly deadline: number
  readonly resolve: (answer: Pdu) => void
  readonly reject: (error: NoAnswerError) => void
}

const MAX_SEQUENCE = 0x7fffffff

export class Requests {
  /** In the order in which they were sent, and so in that of their deadlines. */
  private readonly unanswered = new Map<number, Request>()
  private sequence = 0

  get size(): number {
    return this.unanswered.size
  }

  /** @returns the number to send it with, and its answer, whatever its status */
  add(command: number, deadline: number): { sequence: number; answer: Promise<Pdu> } {
    this.sequence = this.sequence === MAX_SEQUENCE ? 1 : this.sequence + 1
    const { sequence } = this
    const answer = new Promise<Pdu>((resolve, reject) => {
      this.unanswered.set(sequence, { command, deadline, resolve, reject })
    })
    return { sequence, answer }
  }

  /** @returns the command that was answered; null if no request waits for this answer, or not any more */
  settle(answer: Pdu): number | null {
    const request = this.unanswered.get(answer.sequence)
    if (!request) return null
    if (answer.command !== answerTo(request.command) && answer.command !== COMMANDS.generic_nack) return null
    this.unanswered.delete(answer.sequence)
    request.resolve(answer)
    return request.command
  }

  expire(now: number): void {
    for (const [sequence, { deadline, reject }] of this.unanswered) {
      if (deadline > now) return
      this.unanswered.delete(sequence)
      reject(new NoAnswerError('timeout'))
    }
  }

  loseAll(): void {
    const requests = [...this.unanswered.values()]
    this.unanswered.clear()
    for (const { reject } of requests) reject(new NoAnswerError('line_lost'))
  }
}
