/**
 * Lets the parties of a recorded call know: each of them once when the recording begins or they join, by a tone also every
 * 15 seconds. Recordings of the previous process are found in the rows.
 */
import type { Logger } from 'pino'
import type { ChannelSounds } from '../../adapters/freeswitch/channel-sounds.js'
import type { ChannelRecordings } from '../../adapters/freeswitch/channel-recordings.js'
import { SwitchDownError } from '../../adapters/freeswitch/errors.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { RepeatingTask } from '../../lib/repeating-task.js'
import type { RawFiles } from './raw-files.js'
import type { RecordingStore } from './recording-store.js'
import type { Recording } from './recording.entity.js'

/** What a workspace lets be heard; a file or tone of the switch. */
export interface NoticeSound {
  readonly kind: 'tone' | 'announcement'
  readonly source: string
}

interface Options {
  sounds: ChannelSounds
  switch: ChannelRecordings
  raw: Pick<RawFiles, 'idOf'>
  store: Pick<RecordingStore, 'running'>
  /** Null: nothing. */
  soundOf: (workspace: Owner) => Promise<NoticeSound | null>
  log: Logger
}

interface Noticed {
  readonly recording: Pick<Recording, 'id' | 'workspace_id' | 'channel_id'>
  /** Channels whose parties have heard it. */
  readonly informed: Set<string>
  timer?: NodeJS.Timeout
}

/** The beep by which recorders of telephone calls are known. */
const toneEveryMs = 15_000
export const noticeTone = 'tone_stream://%(200,0,1400)'

/** A bridge that is about to begin would cut off what is played before it. */
const bridgeWithinMs = 700

const rowsAtOnce = 200

export class RecordingNotices {
  /** By the recorded channel. */
  private readonly running = new Map<string, Noticed>()
  private readonly repeating: RepeatingTask

  constructor(private readonly options: Options) {
    options.switch.on('ended', ({ channelId, file }) => {
      if (this.running.get(channelId)?.recording.id === options.raw.idOf(file)) this.forget(channelId)
    })
    options.sounds.on('bridged', (...pair) => void this.bridged(pair))
    const failure = ['recording.notice_failed', 'parties of recorded calls could not hear so'] as const
    this.repeating = new RepeatingTask({ everyMs: toneEveryMs, log: options.log, failure }, async (signal) =>
      this.repeat(signal).catch(unlessDown),
    )
  }

  start(): void {
    this.repeating.start()
  }

  async stop(): Promise<void> {
    await this.repeating.stop()
    for (const channelId of [...this.running.keys()]) this.forget(channelId)
  }

  /**
   * A recording has begun.
   * @param play how a script that goes no further meanwhile plays to its party
   */
  async begun(recording: Recording, play?: (source: string) => Promise<void>): Promise<void> {
    const { workspace_id, channel_id } = recording
    const sound = await this.options.soundOf({ id: workspace_id })
    if (!sound) return
    const noticed: Noticed = { recording, informed: new Set() }
    this.running.set(channel_id, noticed)
    const partner = await this.options.sounds.partnerOf(channel_id)
    if (partner !== undefined) await this.inform(noticed, [channel_id, partner], sound)
    else if (play) {
      noticed.informed.add(channel_id)
      await play(sound.source)
    } else {
      const late = async () => this.inform(noticed, [channel_id], sound)
      noticed.timer = setTimeout(
        () => void late().catch((error: unknown) => this.failed(error)),
        bridgeWithinMs,
      )
    }
  }

  private async bridged(pair: readonly [string, string]): Promise<void> {
    const noticed = pair.map((id) => this.running.get(id)).find((one) => one !== undefined)
    if (!noticed) return
    try {
      const sound = await this.options.soundOf({ id: noticed.recording.workspace_id })
      if (sound) await this.inform(noticed, pair, sound)
    } catch (error) {
      this.failed(error)
    }
  }

  private async inform(noticed: Noticed, channelIds: readonly string[], sound: NoticeSound): Promise<void> {
    const fresh = channelIds.filter((id) => !noticed.informed.has(id))
    for (const id of fresh) noticed.informed.add(id)
    await Promise.all(fresh.map(async (id) => this.play(id, sound, channelIds.length > 1)))
  }

  /** A tone leaves the talk as it is; an announcement is heard alone. */
  private async play(channelId: string, { kind, source }: NoticeSound, isBridged: boolean): Promise<void> {
    const { sounds } = this.options
    if (kind === 'tone' && isBridged) await sounds.mix(channelId, source)
    else await sounds.play(channelId, source)
  }

  /** Repeats tones, and notes recordings that another process began or whose end was missed. */
  private async repeat(stopped: AbortSignal): Promise<void> {
    const { store, sounds, soundOf } = this.options
    // What begins meanwhile may be in no row that is read.
    const before = [...this.running.keys()]
    const found = new Set<string>()
    for (let after = ''; ;) {
      const rows = await store.running(after, rowsAtOnce)
      for (const row of rows) {
        if (stopped.aborted) return
        found.add(row.channel_id)
        const sound = row.kind === 'call' ? await soundOf({ id: row.workspace_id }) : null
        if (!sound) continue
        const partner = await sounds.partnerOf(row.channel_id)
        const parties = [row.channel_id, ...(partner === undefined ? [] : [partner])]
        if (!this.running.has(row.channel_id)) {
          this.running.set(row.channel_id, { recording: row, informed: new Set(parties) })
        }
        if (sound.kind !== 'tone' || row.status !== 'recording') continue
        await Promise.all(parties.map(async (id) => this.play(id, sound, parties.length > 1)))
      }
      if (rows.length < rowsAtOnce) break
      after = rows.at(-1)?.id ?? ''
    }
    for (const channelId of before) if (!found.has(channelId)) this.forget(channelId)
  }

  private forget(channelId: string): void {
    clearTimeout(this.running.get(channelId)?.timer)
    this.running.delete(channelId)
  }

  private failed(error: unknown): void {
    if (error instanceof SwitchDownError) return
    this.options.log.warn(
      { event: 'recording.notice_failed', err: error },
      'parties of recorded calls could not hear so',
    )
  }
}

/** Without the switch nothing is heard; it is tried again. */
function unlessDown(error: unknown): void {
  if (!(error instanceof SwitchDownError)) throw error
}
