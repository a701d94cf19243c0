/** Speaks to Kamailio: JSON-RPC and some requests of our own (kamailio-conf/roles/http.cfg), over HTTP on its private listener. */
import { randomInt } from 'node:crypto'
import { type ClientRequest, get } from 'node:http'
import { FarClock } from './far-clock.js'

const deadlineMs = 2_000

/** It waits for a registrar for five seconds. */
const registerDeadlineMs = 9_000

/** An edge waits for a switch at least 1,500 ms (kamailio-conf/roles/switches.cfg): what was taken up sooner is wanted. */
const lateMs = 1_000

/** Kamailio has answered, and says no. */
export class EdgeRefusedError extends Error {}

/** A REGISTER that an edge sends. */
export interface RegisterRequest {
  /** Request URI. */
  uri: string
  target: { /** SIP URI of an address. */ nextHop: string; /** Name that TLS asks for. */ serverName: string }
  /** Headers of the request but Via and Max-Forwards; each line ends with CRLF. */
  headers: string
}

/** What came of it. */
export interface RegisterAnswer {
  code: number
  reason: string
  /** All of the answer; '' where none came and the edge speaks itself. */
  headers: string
}

export class EdgeClient {
  readonly clock = new FarClock()

  constructor(
    /** `http://host:port/RPC`; empty where there is no edge, as with the sandbox alone. */
    private readonly url: string,
    private readonly secret: string,
  ) {}

  get isConfigured(): boolean {
    return this.url !== ''
  }

  /** Whether Kamailio answers; used by health. */
  async isUp(): Promise<boolean> {
    return this.call('core.uptime').then(
      () => true,
      () => false,
    )
  }

  /** What Kamailio says of itself. @throws {Error} when it does not answer in time, or refuses */
  async status(): Promise<{ version: string; uptime_seconds: number }> {
    const [version, uptime] = await Promise.all([this.call('core.version'), this.call('core.uptime')])
    const [found = ''] = /\d+(\.\d+)+/.exec(String(version)) ?? []
    return { version: found, uptime_seconds: (uptime as { uptime?: number }).uptime ?? 0 }
  }

  /** All counters that Kamailio keeps, by `group:name`. @throws as {@link status} */
  async statistics(): Promise<Readonly<Record<string, number>>> {
    const lines = (await this.call('stats.get_statistics', ['all'])) as string[]
    return Object.fromEntries(
      lines.flatMap((line) => {
        const [, name, value] = /^(\S+) = (\d+)$/.exec(line) ?? []
        return name ? [[name, Number(value)]] : []
      }),
    )
  }

  /** How many entries its tables of `modules.cfg` hold, by name. @throws as {@link status} */
  async tableSizes(): Promise<Readonly<Record<string, number>>> {
    const tables = (await this.call('htable.stats')) as { name: string; all: number }[]
    return Object.fromEntries(tables.map(({ name, all }) => [name, all]))
  }

  /**
   * Removes all that is registered under an address, in memory and in the database, and what is kept of its account; there need
   * not be anything. Without an edge there is nothing to remove.
   * @throws {Error} when Kamailio does not answer in time, or refuses
   */
  async removeRegistrations(username: string, domain: string): Promise<void> {
    if (!this.isConfigured) return
    const address = `${username}@${domain}`
    // For phones that register in this very moment (registrar.cfg, kept.cfg).
    await this.call('htable.seti', ['changed', address, 1])
    // An agent's phone may use the domain of SIP accounts.
    const said = new Set([address, `${username}@${domain.replace(/^agents--/, '')}`])
    for (const each of said) await this.forgetDigests(each)
    await this.call('ul.rm', ['location', address])
  }

  /** Says that the edge has heard of all changes of accounts: it may use what it keeps of them (kept.cfg). @throws as {@link status} */
  async confirmDigests(): Promise<void> {
    await this.call('htable.seti', ['confirmed', 'digests', 1])
  }

  /** Has the edge look up again what it keeps of numbers (kept-numbers.cfg): one has changed. @throws as {@link status} */
  async forgetNumbers(): Promise<void> {
    await this.call('htable.seti', ['settling', 'numbers', 1])
    await this.call('htable.seti', ['generation', 'numbers', randomInt(1, 2 ** 31 - 1)])
  }

  /** Says that the edge has heard of all changes of numbers: it may use what it keeps of them. @throws as {@link status} */
  async confirmNumbers(): Promise<void> {
    await this.call('htable.seti', ['confirmed', 'numbers', 1])
  }

  /** Whether new calls are answered 503. @throws as {@link removeRegistrations} */
  async setDraining(isDraining: boolean): Promise<void> {
    await this.call('htable.seti', ['maintenance', 'draining', Number(isDraining)])
  }

  /** @param level by Kamailio's numbers: -1 errors, 0 warnings, 1 notices, 2 info, 3 debug @throws as above */
  async setDebug(level: number): Promise<void> {
    await this.call('cfg.seti', ['core', 'debug', level])
  }

  /** Asks for what happens there: a line for each event, without an end (kamailio-conf/roles/events.cfg). */
  events(): ClientRequest {
    return get(new URL('/events', this.url), { headers: this.authorization, agent: false })
  }

  /** Answers a phone's REFER. @param transaction as the edge named it @throws as {@link removeRegistrations} */
  async answerReferral(transaction: string, accepted: boolean): Promise<void> {
    await this.get(`/referrals/${transaction}/${accepted ? 202 : 603}`)
  }

  /**
   * Refuses a call with 503 that came through this edge and still rings there, whose switch will say nothing more of it.
   * @param sipCallId of printable ASCII @throws as {@link removeRegistrations}
   */
  async callEnded(sipCallId: string): Promise<void> {
    await this.get('/ended', { 'call-id': sipCallId })
  }

  /**
   * Has the edge send OPTIONS; the result arrives as an event (kamailio-conf/roles/pings.cfg).
   * @param id letters, digits and hyphens @param to the request URI @param nextHop where it is sent: `sip:address:port;transport=x`
   * @throws as {@link removeRegistrations}
   */
  async ping(id: string, to: string, nextHop: string): Promise<void> {
    await this.get('/ping', { 'ping-id': id, 'ping-to': to, 'ping-next-hop': nextHop })
  }

  /**
   * Whether the edge no longer wants a call that it sent to a switch: it heard nothing of it in time. It is asked only when
   * the call was taken up so late that it may be so.
   * @param sent what its INVITE says in `X-Edge-Sent` @param takenAt by our clock
   * @throws as {@link status}
   */
  async hasGivenUp(sent: string, takenAt: Date): Promise<boolean> {
    const sentAt = this.clock.toOurs(Number(sent.split('-')[0]) * 1000)
    if (sentAt === null || !(takenAt.getTime() - sentAt > lateMs)) return false
    return this.call('htable.get', ['given_up', sent]).then(
      () => true,
      (error: unknown) => {
        if (error instanceof EdgeRefusedError) return false
        throw error
      },
    )
  }

  /**
   * Sends a REGISTER to a carrier (kamailio-conf/roles/trunk-registrations.cfg).
   * @returns the answer; 408 without headers where none came within five seconds
   * @throws {Error} when Kamailio itself does not answer
   */
  async register({ uri, target, headers }: RegisterRequest, signal: AbortSignal): Promise<RegisterAnswer> {
    const whole = `${headers}X-Edge-Server-Name: ${target.serverName}\r\n`
    const params = ['REGISTER', uri, target.nextHop, '.', whole, '']
    const within = AbortSignal.any([signal, AbortSignal.timeout(registerDeadlineMs)])
    try {
      // After a 2xx come URIs of its dialog, too.
      const answer = (await this.call('tm.t_uac_wait', params, within)) as (string | number)[]
      return { code: Number(answer[0]), reason: String(answer[1]), headers: String(answer.at(-1)) }
    } catch (error) {
      // It could not be sent, as where the connection is refused.
      if (error instanceof EdgeRefusedError) return { code: 503, reason: 'It cannot be sent', headers: '' }
      throw error
    }
  }

  private async forgetDigests(address: string): Promise<void> {
    await this.call('htable.delete', ['digests', address]).catch((error: unknown) => {
      // There are none, or the edge is of a version that keeps none.
      if (!(error instanceof EdgeRefusedError)) throw error
    })
  }

  private get authorization() {
    return { authorization: `Bearer ${this.secret}` }
  }

  /** Asks for something of our own. @throws {Error} when Kamailio does not answer in time, or refuses */
  private async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const { status } = await fetch(new URL(path, this.url), {
      headers: { ...this.authorization, ...headers },
      signal: AbortSignal.timeout(deadlineMs),
    })
    if (status !== 200) throw new Error(`Kamailio answers ${status}`)
  }

  /** Runs an RPC command. @throws {Error} when Kamailio does not answer in time, or refuses */
  private async call(
    method: string,
    params: readonly (string | number)[] = [],
    signal = AbortSignal.timeout(deadlineMs),
  ): Promise<unknown> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { ...this.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }),
      signal,
    })
    const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (answer.error) throw new EdgeRefusedError(`Kamailio refuses ${method}: ${answer.error.message}`)
    return answer.result
  }
}
