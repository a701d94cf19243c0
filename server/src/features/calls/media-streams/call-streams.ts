/** All streams of running calls to customers' servers. */
import type { Route } from '../routing/route.js'
import type { Logger } from 'pino'
import { IsNull } from 'typeorm'
import type { Database } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import type { SecretBox } from '../../../infrastructure/database/secrets.js'
import { purposes } from '../../../infrastructure/database/sealed-columns.js'
import type { GuardedSockets } from '../../../infrastructure/http-client/guarded-sockets.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import { DurableWrites } from '../model/durable-writes.js'
import { BackgroundStream } from './background-stream.js'
import { CallStream } from './call-stream.entity.js'
import type { CustomerSocket, StreamEnd } from './customer-socket.js'
import type { StreamHost } from './stream-host.js'
import type { StreamSettings } from './stream-settings.js'
import { routeToServer } from './two-way-stream.js'

interface Options {
  readonly database: Database
  readonly secrets: SecretBox
  readonly sockets: GuardedSockets
  readonly switchboard: Switchboard
  readonly log: Logger
}

/** Concurrent background streams of one call. */
export const maxStreamsOfCall = 4

interface Running {
  readonly row: CallStream
  readonly settings: string
  readonly stream: BackgroundStream
}

export class CallStreams {
  /** By call id. */
  private readonly running = new Map<string, Running[]>()
  private readonly twoWay = new Set<CustomerSocket>()
  private readonly writes: DurableWrites

  constructor(private readonly options: Options) {
    this.writes = new DurableWrites(options.log)
  }

  /** The rule that the URL of a stream breaks, worded to follow "must", or undefined. */
  brokenRule(url: string): string | undefined {
    return this.options.sockets.brokenRule(url)
  }

  /**
   * Starts a background stream; does not wait for the customer's server.
   * @param isAgain whether the previous process may have started it already
   * @returns false if the call has too many
   */
  async begin(host: StreamHost, settings: StreamSettings, isAgain: boolean): Promise<boolean> {
    const { call } = host
    const asked = JSON.stringify(settings)
    const open = this.running.get(call.id) ?? []
    if (isAgain && open.some((one) => one.settings === asked)) return true
    if (open.length >= maxStreamsOfCall) return false
    const id = newId('str')
    const row: CallStream = {
      ...{ id, workspace_id: call.workspace_id, call_id: call.id },
      settings: this.options.secrets.seal(asked, purposes.callStream(id)),
      ...{ is_awaited: true, channel_id: null, frames_sent: 0, frames_dropped: 0 },
      ...{ created_at: new Date(), ended_at: null, end_reason: null },
    }
    await this.rows.insert(row)
    this.run(host, row, asked, false)
    return true
  }

  /** A route to a customer's server that is bridged with a call's party. */
  routeTo(settings: StreamSettings, note: StreamHost['note']): Route {
    return routeToServer(settings, {
      ...{ id: newId('str'), sockets: this.options.sockets, note },
      keep: (socket) => {
        this.twoWay.add(socket)
        socket.on('closed', () => this.twoWay.delete(socket))
      },
    })
  }

  /** Another leg has become the script leg. */
  goOn(callId: string): void {
    for (const { stream } of this.running.get(callId) ?? []) stream.tapLine()
  }

  /** The call's script no longer waits for its current streams. */
  release(callId: string): void {
    for (const { row } of this.running.get(callId) ?? []) {
      if (!row.is_awaited) continue
      row.is_awaited = false
      this.write(row, { is_awaited: false })
    }
  }

  /** Resolves when no awaited stream of the call is open any more, or at the signal. */
  async untilOver(callId: string, signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    for (;;) {
      const open = this.awaited(callId)
      if (open.length === 0 || signal.aborted) return
      await Promise.race([aborted, Promise.all(open.map(async ({ stream }) => stream.done))])
    }
  }

  /** True if a call's script waits for streams. */
  isAwaited(callId: string): boolean {
    return this.awaited(callId).length > 0
  }

  /** Continues the streams of a recovered call. */
  async recover(host: StreamHost): Promise<void> {
    const { secrets, switchboard } = this.options
    const rows = await this.rows.findBy({ call_id: host.call.id, ended_at: IsNull() })
    const running = this.running.get(host.call.id) ?? []
    for (const row of rows) {
      // The tap of the previous process may still be running.
      if (row.channel_id) await switchboard.kill(row.channel_id, 'NORMAL_CLEARING')
      const here = running.find((one) => one.row.id === row.id)
      if (here) here.stream.resume(host)
      else this.run(host, row, secrets.open(row.settings, purposes.callStream(row.id)), true)
    }
  }

  /** Disconnects from all customers' servers; the next process continues the background streams. */
  async stop(): Promise<void> {
    for (const { stream } of [...this.running.values()].flat()) stream.stop('restart')
    for (const socket of this.twoWay) socket.close('restart')
    await this.writes.settled()
  }

  private run(host: StreamHost, row: CallStream, asked: string, isResumed: boolean): void {
    const { switchboard, sockets, log } = this.options
    const callId = host.call.id
    const stream = new BackgroundStream(
      host,
      {
        ...{ id: row.id, settings: JSON.parse(asked) as StreamSettings, switchboard, sockets, log },
        tapped: (channel_id) => this.write(row, { channel_id }),
        ended: (end, frames) => this.ended(row, end, frames),
      },
      isResumed,
    )
    const before = this.running.get(callId) ?? []
    this.running.set(callId, [...before, { row, settings: asked, stream }])
    void stream.done.then(() => this.forget(row))
  }

  private forget({ id, call_id }: CallStream): void {
    const left = (this.running.get(call_id) ?? []).filter(({ row }) => row.id !== id)
    if (left.length > 0) this.running.set(call_id, left)
    else this.running.delete(call_id)
  }

  private ended(row: CallStream, end: StreamEnd, { sent, dropped }: { sent: number; dropped: number }): void {
    if (end === 'restart') {
      this.forget(row)
      return
    }
    const frames = { frames_sent: row.frames_sent + sent, frames_dropped: row.frames_dropped + dropped }
    this.write(row, { ...frames, ended_at: new Date(), end_reason: end })
  }

  private awaited(callId: string): Running[] {
    return (this.running.get(callId) ?? []).filter(({ row }) => row.is_awaited)
  }

  private write({ id }: CallStream, changes: Partial<CallStream>): void {
    void this.writes.add(async () => this.rows.update(id, changes))
  }

  private get rows() {
    return this.options.database.platformTable(CallStream)
  }
}
