/** Recordings as calls ask for them: of a call, and of a message that a caller leaves. */
import type { EntityManager } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { Channel } from '../../adapters/freeswitch/channel.js'
import { type ChannelEnd, ChannelEndedError } from '../../adapters/freeswitch/channel-end.js'
import type {
  ChannelRecordingOptions,
  ChannelRecordings,
} from '../../adapters/freeswitch/channel-recordings.js'
import { SwitchDownError } from '../../adapters/freeswitch/errors.js'
import type { Announcements, TimelineNote } from './announcements.js'
import type { RecordingNotices } from './recording-notices.js'
import type { RawFiles } from './raw-files.js'
import type { RecordedCall, Recorder } from './recorder.js'
import { recordingFailures } from './recording-failures.js'
import type { RecordingStore } from './recording-store.js'
import type { Recording, RecordingFormat } from './recording.entity.js'

interface Options {
  database: Database
  recorder: Recorder
  store: RecordingStore
  raw: RawFiles
  switch: ChannelRecordings
  /** What a workspace may have recorded. */
  quotaOf: (workspaceId: string) => Promise<{ external: boolean; internal: boolean }>
  note: TimelineNote
  announcements: Pick<Announcements, 'started'>
  notices: Pick<RecordingNotices, 'begun'>
}

/** A call as this feature sees it. */
export interface AskedCall extends RecordedCall {
  readonly direction: 'inbound' | 'outbound'
  readonly max_duration: number
}

/** The channel's variable that names the message which is being recorded. */
const messageMark = 'jackfield_message'

/** The switch's own limit of a recording is this much above the one that the server enforces. */
const marginSeconds = 60

const silence = { atFirst: 10_000, after: 10_000, threshold: 200 }

interface CallRecordingOptions {
  format: RecordingFormat
  stereo: boolean
  /** How a script that goes no further meanwhile plays to the channel's party. */
  play?: (source: string) => Promise<void>
}

export class CallRecordings {
  private readonly beginning = new Map<string, Promise<void>>()

  constructor(private readonly options: Options) {}

  async mayRecord(call: AskedCall): Promise<boolean> {
    const { external, internal } = await this.options.quotaOf(call.workspace_id)
    const isExternal = call.direction === 'inbound' || call.to_number.startsWith('+')
    return isExternal ? external : internal
  }

  /** One at a time of each call: its number and its script may both ask for one. */
  async begin(call: AskedCall, channel: Channel, options: CallRecordingOptions): Promise<void> {
    const before = this.beginning.get(call.id) ?? Promise.resolve()
    const begun = before.catch(() => undefined).then(async () => this.beginNow(call, channel, options))
    this.beginning.set(call.id, begun)
    try {
      await begun
    } finally {
      if (this.beginning.get(call.id) === begun) this.beginning.delete(call.id)
    }
  }

  private async beginNow(
    call: AskedCall,
    channel: Channel,
    { format, stereo, play }: CallRecordingOptions,
  ): Promise<void> {
    const { recorder, store, database, note, announcements, notices } = this.options
    const maxSeconds = call.max_duration + marginSeconds
    const how = { sides: stereo ? 'apart' : 'both', maxSeconds } as const
    const running = (await store.runningOf(call)).find(({ kind }) => kind === 'call')
    if (running && (await recorder.isBegun(running))) return
    const recording = await recorder.begin({ call, channelId: channel.id, kind: 'call', format, how })
    await database.transaction(async (tx: EntityManager) => {
      const subject = { id: call.id, workspace_id: call.workspace_id }
      await note(tx, subject, 'call.recording_started', { recording_id: recording.id })
      await announcements.started(tx, recording)
    })
    await notices.begun(recording, play)
  }

  async leave(call: AskedCall, channel: Channel): Promise<void> {
    const { recorder, store } = this.options
    const last = await store.lastOn(call, channel.id)
    if (last) await recorder.end(last)
  }

  /** Paused as it was; what is recorded on both is two recordings of the call. */
  async goOn(call: AskedCall, before: Channel, now: Channel): Promise<void> {
    const { recorder, store } = this.options
    const last = await store.lastOn(call, before.id)
    if (!last) return
    const isPaused = last.status === 'paused'
    await recorder.end(last)
    await this.begin(call, now, { format: last.format, stereo: last.channels === 2 })
    const next = isPaused ? await store.lastOn(call, now.id) : null
    if (next) await recorder.setPaused(next, true)
  }

  async hasBegun(call: AskedCall): Promise<boolean> {
    return this.options.store.hasAny(call)
  }

  async hasMessage(channel: Channel): Promise<boolean> {
    return (await this.messageOf(channel)) !== null
  }

  async takeMessage(
    call: AskedCall,
    channel: Channel,
    maxSeconds: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { recorder } = this.options
    const how: ChannelRecordingOptions = { sides: 'party', maxSeconds: maxSeconds + 2, silence }
    const left = await this.messageLeft(channel)
    if (left === 'over') {
      await this.unmark(channel)
      return
    }
    // What was pressed before the tone was not meant to end the message.
    if (!left) channel.keys.take()
    const over = new AbortController()
    const message = left ?? (await this.beginMessage(call, channel, how))
    const ended = this.endOf(message, channel, over.signal)
    const stop = () => void recorder.end(message).catch(() => undefined)
    const pressed = (digit: string) => {
      if (digit === '#') stop()
    }
    const spent = Date.now() - message.created_at.getTime()
    const timer = setTimeout(stop, Math.max(0, maxSeconds * 1000 - spent))
    channel.on('digit', pressed)
    signal.addEventListener('abort', stop)
    try {
      if (signal.aborted) stop()
      // It may have ended before we listened.
      if (left && !(await recorder.isRunning(message))) return
      await ended
    } finally {
      clearTimeout(timer)
      over.abort()
      channel.off('digit', pressed)
      signal.removeEventListener('abort', stop)
      channel.keys.take()
      await this.unmark(channel).catch(() => undefined)
    }
  }

  private async unmark(channel: Channel): Promise<void> {
    if (!channel.end) await channel.setVariables({ [messageMark]: '' })
  }

  private async beginMessage(
    call: AskedCall,
    channel: Channel,
    how: ChannelRecordingOptions,
  ): Promise<Recording> {
    const { recorder } = this.options
    const request = { call, channelId: channel.id, kind: 'voicemail', format: 'wav', how } as const
    return recorder.begin(request, async ({ id }) => channel.setVariables({ [messageMark]: id }))
  }

  /** The voicemail that the previous process began and the switch still records; `over` when that has ended meanwhile. */
  private async messageLeft(channel: Channel): Promise<Recording | 'over' | null> {
    const { recorder, raw, store } = this.options
    const message = await this.messageOf(channel)
    if (!message || (await recorder.isBegun(message))) return message
    const { duration_ms, error } = (await store.load(message.id)) ?? message
    const hasSound = duration_ms !== null || (await raw.read(message.id)) !== null
    return hasSound || error === recordingFailures.nothingSaid ? 'over' : null
  }

  private async messageOf(channel: Channel): Promise<Recording | null> {
    const id = await this.options.switch.variable(channel.id, messageMark)
    return id ? this.options.store.load(id) : null
  }

  /** Resolves when the switch writes a recording no more. */
  private async endOf(recording: Recording, channel: Channel, given: AbortSignal): Promise<void> {
    const { switch: recordings, raw } = this.options
    const file = raw.pathOf(recording.id)
    const end = new Promise<void>((resolve, reject) => {
      const ended = (one: { file: string }) => {
        if (one.file === file) settle(resolve)
      }
      const hungUp = (how: ChannelEnd) => settle(() => reject(new ChannelEndedError(how)))
      const abandoned = () => settle(() => reject(new SwitchDownError()))
      const settle = (result: () => void) => {
        recordings.off('ended', ended)
        channel.off('ended', hungUp)
        channel.off('abandoned', abandoned)
        result()
      }
      recordings.on('ended', ended)
      channel.on('ended', hungUp)
      channel.on('abandoned', abandoned)
      given.addEventListener('abort', () => settle(resolve), { once: true })
      if (channel.end) hungUp(channel.end)
    })
    end.catch(() => undefined)
    return end
  }
}
