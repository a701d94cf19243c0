/** Processes of this benchmark that answer questions of its main one, and the clock that they share. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** Milliseconds of a clock that all processes of the machine share, with fractions. */
export const now = () => Number(process.hrtime.bigint()) / 1e6

interface Question {
  id: number
  name: string
  input: unknown
}

/** What a process is asked for, by name: its input and its answer, both as JSON has them. */
type Work = Record<string, (input: never) => unknown>

type Answer<T extends Work, K extends keyof T> = Awaited<ReturnType<T[K]>>

/** Answers the main process from now on, and ends with it. */
export function answerWith(work: Work): void {
  process.once('disconnect', () => process.exit())
  process.on('message', ({ id, name, input }: Question) => {
    const answer = async () => (work[name] as (input: unknown) => unknown)(input)
    answer().then(
      (value) => process.send?.({ id, value }),
      (error: unknown) => process.send?.({ id, problem: String(error) }),
    )
  })
}

/** One of the processes, seen from the main one. */
export class Part<T extends Work> {
  private asked = 0

  private constructor(private readonly child: ChildProcess) {}

  /** @param url of its module */
  static async start<T extends Work>(url: URL): Promise<Part<T>> {
    const child = fork(url)
    await once(child, 'spawn')
    return new Part<T>(child)
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** @throws what it threw, or when it has ended */
  async ask<K extends keyof T & string>(name: K, ...input: Parameters<T[K]>): Promise<Answer<T, K>> {
    const id = ++this.asked
    return new Promise<Answer<T, K>>((resolve, reject) => {
      const gone = () => reject(new Error(`the process has ended that was asked for ${name}`))
      const take = (answer: { id: number; value?: unknown; problem?: string }) => {
        if (answer.id !== id) return
        this.child.off('message', take)
        this.child.off('exit', gone)
        if (answer.problem) reject(new Error(answer.problem))
        else resolve(answer.value as Answer<T, K>)
      }
      this.child.on('message', take)
      this.child.once('exit', gone)
      this.child.send({ id, name, input: input[0] })
    })
  }

  stop(): void {
    this.child.kill()
  }
}
