/**
 * Recordings while the switch writes them. The row comes first, and the switch records without us: an end that no server
 * has seen is found by {@link Recorder.sweep}.
 */
import type { Logger } from 'pino'
import { newId } from '../../infrastructure/database/ids.js'
import { ApiError, badRequest } from '../../infrastructure/http/errors.js'
import { RepeatingTask } from '../../lib/repeating-task.js'
import type {
  ChannelRecordingOptions,
  ChannelRecordings,
  EndedChannelRecording,
} from '../../adapters/freeswitch/channel-recordings.js'
import { SwitchDownError, SwitchRefusedError, SwitchTimeoutError } from '../../adapters/freeswitch/errors.js'
import { recordingFailures } from './recording-failures.js'
import { RecordingProblem } from './recording-problem.js'
import type { RawFiles } from './raw-files.js'
import type { RecordingStore } from './recording-store.js'
import type { Recording, RecordingFormat, RecordingKind } from './recording.entity.js'

interface Options {
  store: RecordingStore
  switch: ChannelRecordings
  raw: RawFiles
  /** Whether the workspace may keep more files, and the disk has room for them. */
  hasRoom: (workspace: { id: string }) => Promise<boolean>
  /** Called when there is something to convert. */
  wake: () => void
  log: Logger
}

/** Whose recording it is, and the numbers that it is found by. */
export interface RecordedCall {
  readonly id: string
  readonly workspace_id: string
  readonly from_number: string
  readonly to_number: string
}

export interface RecordingRequest {
  readonly call: RecordedCall
  readonly channelId: string
  readonly kind: RecordingKind
  readonly format: RecordingFormat
  readonly how: ChannelRecordingOptions
}

const noRoom =
  'there is no room for a recording: the workspace keeps as many files as it may, or the disk is nearly full'

const { neverBegun, nothingSaid } = recordingFailures

/** A recording so young may not have begun yet. */
const youngMs = 10_000

const sweepEveryMs = 10_000
const sweptAtOnce = 200

export class Recorder {
  private readonly sweeping: RepeatingTask

  constructor(private readonly options: Options) {
    options.switch.on('ended', (end) => void this.ended(end))
    this.sweeping = new RepeatingTask(
      {
        everyMs: sweepEveryMs,
        log: options.log,
        failure: ['recording.sweep_failed', 'recordings could not be checked for missed ends'],
      },
      async () => this.sweepWhileUp(),
    )
    options.switch.on('reachable', () => this.sweeping.again())
  }

  start(): void {
    this.sweeping.start()
  }

  async stop(): Promise<void> {
    await this.sweeping.stop()
  }

  /**
   * Begins a recording.
   * @param announce called with the row before the switch begins
   * @throws {SwitchRefusedError} when the channel has ended or has no media; only the row is left of it then
   */
  async begin(
    { call, channelId, kind, format, how }: RecordingRequest,
    announce: (recording: Recording) => Promise<void> = async () => undefined,
  ): Promise<Recording> {
    if (!(await this.options.hasRoom({ id: call.workspace_id }))) throw new RecordingProblem(noRoom)
    const recording: Recording = {
      id: newId('rec'),
      workspace_id: call.workspace_id,
      call_id: call.id,
      kind,
      status: 'recording',
      format,
      channels: how.sides === 'apart' ? 2 : 1,
      channel_id: channelId,
      from_number: call.from_number,
      to_number: call.to_number,
      ...{ storage: null, storage_key: null, size_bytes: null, duration_ms: null, error: null },
      created_at: new Date(),
      ...{ ended_at: null, heard_at: null, heard_by: null, done_at: null, done_by: null },
      transcript: null,
    }
    await this.options.store.insert(recording)
    await announce(recording)
    await this.record(recording, how)
    return recording
  }

  /** Gives up a recording that the switch never began, if that is so. @returns whether the switch writes it now */
  async isBegun(recording: Recording): Promise<boolean> {
    if (await this.isRunning(recording)) return true
    if (!(await this.options.raw.read(recording.id))) await this.options.store.fail(recording, neverBegun)
    return false
  }

  private async record(recording: Recording, how: ChannelRecordingOptions): Promise<void> {
    const { store, raw } = this.options
    try {
      await this.options.switch.begin(recording.channel_id, raw.pathOf(recording.id), how)
    } catch (error) {
      if (error instanceof SwitchRefusedError) await store.fail(recording, neverBegun)
      throw error
    }
  }

  /** Ends a recording before its channel does. */
  async end(recording: Recording): Promise<void> {
    await this.options.switch.end(recording.channel_id, this.options.raw.pathOf(recording.id))
  }

  /** Whether the switch writes it now. */
  async isRunning(recording: Recording): Promise<boolean> {
    return this.options.switch.isRunning(recording.channel_id, this.options.raw.pathOf(recording.id))
  }

  /**
   * Puts silence in the place of what is said from now on, or ends that.
   * @param agentId the agent who asked for it; null: an API key, or the server
   * @throws 400 when it is not being recorded, 503 without the switch
   */
  async setPaused(recording: Recording, paused: boolean, agentId: string | null = null): Promise<void> {
    const [wanted, verb] = paused ? (['recording', 'paused'] as const) : (['paused', 'resumed'] as const)
    if (recording.status === (paused ? 'paused' : 'recording')) return
    if (recording.status !== wanted) {
      throw badRequest(`Only what is being recorded can be ${verb}; it is ${recording.status}`)
    }
    const file = this.options.raw.pathOf(recording.id)
    try {
      await this.options.switch[paused ? 'mask' : 'unmask'](recording.channel_id, file)
    } catch (error) {
      if (error instanceof SwitchRefusedError) {
        throw badRequest(`Only what is being recorded can be ${verb}; it has just ended`)
      }
      if (!(error instanceof SwitchDownError || error instanceof SwitchTimeoutError)) throw error
      throw new ApiError(503, 'The switch cannot be reached: try again later')
    }
    await this.options.store.setPaused(recording, paused, agentId)
  }

  /** Finds recordings whose end was missed. */
  async sweep(): Promise<void> {
    const { store } = this.options
    const young = Date.now() - youngMs
    let after = ''
    for (;;) {
      const rows = await store.running(after, sweptAtOnce)
      for (const row of rows) {
        if (row.created_at.getTime() > young || (await this.isRunning(row))) continue
        await store.finish(row, new Date())
        this.options.wake()
      }
      if (rows.length < sweptAtOnce) return
      after = rows.at(-1)?.id ?? ''
    }
  }

  private async sweepWhileUp(): Promise<void> {
    await this.sweep().catch((error: unknown) => {
      // The next link finds them again.
      if (!(error instanceof SwitchDownError)) throw error
    })
  }

  private async ended({ file, cause, at }: EndedChannelRecording): Promise<void> {
    const { store, raw, wake, log } = this.options
    const id = raw.idOf(file)
    if (!id) return
    try {
      const recording = await store.load(id)
      if (!recording) return
      // The switch heard nothing before its patience ended.
      if (cause === 'no-input-timeout') await store.fail(recording, nothingSaid)
      await store.finish(recording, at)
      wake()
    } catch (error) {
      log.warn(
        { event: 'recording.end_delayed', err: error, recording: id },
        'the end of a recording is not written yet',
      )
    }
  }
}
