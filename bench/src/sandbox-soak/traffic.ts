/** Calls at the sandbox's far ends, so many at once for a while, and what is wrong with them afterwards. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from 'mysql2/promise'
import type { CallBench } from '../../../server/dist/test/support/call-bench.js'
import { multipart, wavFile } from '../../../server/dist/test/support/audio-files.js'

/** Answers after 220 ms and stays. */
const number = '+12025550100'

/** More requests in progress than this are not begun: the server would only queue them. */
const mostAsked = 100

/** A machine that is busy ends a call late; later than this, its end was missed. */
const latestEndSeconds = 10

/** Calls whose ends may be late at the end of the run. */
const lastEndsMs = 60_000

export class Traffic {
  private readonly failures = new Map<string, number>()
  readonly accepted: number[] = []
  /** Rounds of the pace at which nothing was made, as too many requests were in progress. */
  held = 0
  made = 0
  private asked = 0

  private constructor(
    private readonly bench: CallBench,
    private readonly database: Connection,
    private readonly audioId: string,
    private readonly seconds: number,
  ) {}

  /** @param seconds that each call hears audio */
  static async start(bench: CallBench, database: Connection, seconds: number): Promise<Traffic> {
    const file = { name: 'tone.wav', content: wavFile(1_000, seconds, { rate: 8_000 }) }
    const audio = await bench.api.request('POST', '/audios', { raw: multipart({ title: 'Tone' }, file) })
    if (audio.status !== 201) throw new Error(`no audio: ${JSON.stringify(audio.body)}`)
    return new Traffic(bench, database, (audio.body as { id: string }).id, seconds)
  }

  /** Makes calls at the pace at which so many are up, until a moment. */
  async run(atOnce: number, untilMs: number): Promise<void> {
    const everyMs = (this.seconds * 1_000) / atOnce
    const making = new Set<Promise<void>>()
    let next = performance.now()
    while (performance.now() < untilMs) {
      if (this.asked < mostAsked) {
        const one = this.make().finally(() => making.delete(one))
        making.add(one)
      } else this.held += 1
      next += everyMs
      await sleep(Math.max(0, next - performance.now()))
    }
    await Promise.all(making)
  }

  private async make(): Promise<void> {
    const asked = performance.now()
    this.asked += 1
    try {
      const script = [{ action: 'play', params: { audio_id: this.audioId } }]
      const answer = await this.bench.api.post('/calls/make', { to: { number }, actions: script })
      if (answer.status === 201) {
        this.made += 1
        this.accepted.push(performance.now() - asked)
      } else this.failed(`not accepted: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`)
    } catch (error) {
      this.failed(`not accepted: ${(error as Error).message}`)
    } finally {
      this.asked -= 1
    }
  }

  private failed(why: string, count = 1): void {
    this.failures.set(why, (this.failures.get(why) ?? 0) + count)
  }

  /** Calls that are up. */
  async live(): Promise<number> {
    return this.count('SELECT COUNT(*) FROM calls WHERE live = 1')
  }

  /** Seconds by which the longest call was longer than what it heard. */
  async latest(): Promise<number> {
    return this.count(`SELECT COALESCE(MAX(duration), 0) - ${this.seconds} FROM calls`)
  }

  /** Waits for the last ends. @returns what is wrong, and how often */
  async problems(credit: number): Promise<ReadonlyMap<string, number>> {
    const until = performance.now() + this.seconds * 1_000 + lastEndsMs
    while ((await this.live()) > 0 && performance.now() < until) await sleep(500)
    // What is written after a call has ended.
    await sleep(2_000)
    const { seconds } = this
    const none: Readonly<Record<string, string>> = {
      'live calls': 'SELECT COUNT(*) FROM calls WHERE live IS NOT NULL',
      'calls lost, or made twice': `SELECT ABS(COUNT(*) - ${this.made}) FROM calls`,
      'calls that ended otherwise': `SELECT COUNT(*) FROM calls WHERE live IS NULL
         AND NOT (status = 'completed' AND hangup_cause = 'NORMAL_CLEARING' AND sip_code = 200)`,
      'calls cut short': `SELECT COUNT(*) FROM calls WHERE status = 'completed' AND duration < ${seconds}`,
      [`calls that ended over ${latestEndSeconds} s late`]: `SELECT COUNT(*) FROM calls
         WHERE duration > ${seconds + latestEndSeconds}`,
      'legs without end': 'SELECT COUNT(*) FROM call_legs WHERE ended_at IS NULL',
      'timelines that lack a state': `SELECT COUNT(*) FROM (SELECT call_id FROM call_events
         WHERE event IN ('call.created', 'call.ringing', 'call.answered', 'call.ended')
         GROUP BY call_id HAVING COUNT(*) <> 4) incomplete`,
      'jobs in the outbox': 'SELECT COUNT(*) FROM outbox',
    }
    for (const [what, sql] of Object.entries(none)) {
      const found = await this.count(sql)
      if (found > 0) this.failed(what, found)
    }
    const cost = await this.count('SELECT COALESCE(SUM(cost), 0) FROM calls')
    const charged = credit - (await this.bench.balance())
    if (Math.abs(charged - cost) > 1e-3) this.failed(`${charged} USD charged for calls of ${cost} USD`)
    return this.failures
  }

  /** One number out of the database. */
  private async count(sql: string): Promise<number> {
    const [[row]] = (await this.database.query(sql)) as unknown as [[Record<string, number>]]
    return Number(Object.values(row)[0])
  }
}
