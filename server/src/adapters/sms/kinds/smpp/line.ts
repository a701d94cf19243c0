/** One bind: opens it, keeps it alive, and opens it again with growing pauses when it is lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { cString } from './body.js'
import { OK, statusText } from './command-status.js'
import { connect } from './connect.js'
import { COMMANDS, type Pdu } from './pdu.js'
import { NoAnswerError } from './requests.js'
import { SmppSession, type TakeIncoming } from './session.js'
import { type SmppSettings, interfaceVersions } from './settings.js'

export interface RetryTimes {
  /** After the first failure; it doubles with each, give or take a half, until the line has worked. */
  readonly firstRetryMs: number
  readonly lastRetryMs: number
}

export const RETRY_TIMES: RetryTimes = { firstRetryMs: 1000, lastRetryMs: 60_000 }

export interface LineOwner {
  readonly incoming: TakeIncoming
  changed(): void
}

/** There is no bind: nothing was sent. */
export class NotBoundError extends Error {}

const CONNECT_MS = 10_000
/** How long the SMSC may take to answer an unbind. */
const UNBIND_MS = 1000

export class SmppLine {
  /** `down` from the first failure until it is bound again. */
  state: 'up' | 'connecting' | 'down' = 'connecting'
  lastError: string | null = null
  private session: SmppSession | undefined
  private readonly stopping = new AbortController()
  private running: Promise<void> | undefined
  private retryMs: number

  constructor(
    private readonly as: 'transceiver' | 'transmitter' | 'receiver',
    private readonly settings: SmppSettings,
    private readonly owner: LineOwner,
    private readonly retry: RetryTimes,
  ) {
    this.retryMs = retry.firstRetryMs
  }

  start(): void {
    this.running ??= this.run()
  }

  /** Unbinds once what is under way has its answer, or has waited for it long enough. */
  async stop(): Promise<void> {
    this.stopping.abort()
    const { session } = this
    if (session && this.state === 'up') {
      await session.drained()
      const late = setTimeout(() => session.close('stopped'), UNBIND_MS)
      await session.request(COMMANDS.unbind).catch(() => undefined)
      clearTimeout(late)
    }
    session?.close('stopped')
    await this.running
  }

  /** @throws {NotBoundError | NoAnswerError} */
  async request(command: number, body: Buffer): Promise<Pdu> {
    const { session } = this
    const isBound = session?.isOpen && this.state === 'up' && !this.stopping.signal.aborted
    if (!isBound) throw new NotBoundError('not bound')
    return session.request(command, body)
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      const why = await this.live().catch((error: unknown) => messageOf(error))
      this.session = undefined
      if (signal.aborted) return
      this.become('down', why)
      const waitMs = this.retryMs * (0.5 + Math.random())
      this.retryMs = Math.min(this.retryMs * 2, this.retry.lastRetryMs)
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }

  /** One connection from its beginning to its end. @returns why it ended @throws why it was never bound */
  private async live(): Promise<string> {
    const { settings } = this
    const socket = await connect(settings, CONNECT_MS, this.stopping.signal)
    const times = {
      enquireMs: settings.enquire_link_seconds * 1000,
      responseMs: settings.response_timeout_seconds * 1000,
    }
    const session = new SmppSession(socket, times, this.owner.incoming)
    this.session = session
    await this.bind(session)
    if (this.stopping.signal.aborted) session.close('stopped')
    else this.become('up', this.lastError)
    const why = await session.over
    if (session.worked) this.retryMs = this.retry.firstRetryMs
    return why
  }

  private async bind(session: SmppSession): Promise<void> {
    const { system_id, password, system_type, interface_version, addr_ton, addr_npi } = this.settings
    const body = Buffer.concat([
      ...[system_id, password, system_type].map(cString),
      Buffer.from([interfaceVersions[interface_version], addr_ton, addr_npi]),
      cString(this.settings.address_range),
    ])
    const answer = await session.request(COMMANDS[`bind_${this.as}`], body).catch(async (error: unknown) => {
      if (!(error instanceof NoAnswerError)) throw error
      const late = error.reason === 'timeout'
      if (late) session.close('no answer to the bind')
      throw new Error(late ? 'the SMSC did not answer the bind in time' : await session.over)
    })
    if (answer.status === OK) return
    session.close('bind refused')
    throw new Error(`bind refused: ${statusText(answer.status)}`)
  }

  private become(state: SmppLine['state'], error: string | null): void {
    if (state === this.state && error === this.lastError) return
    this.state = state
    this.lastError = error
    this.owner.changed()
  }
}

/** Node.js gives no message of its own when none of a name's addresses could be reached. */
function messageOf(error: unknown): string {
  const { message = '', code = '' } = error as { message?: string; code?: string }
  return message || code || String(error)
}
