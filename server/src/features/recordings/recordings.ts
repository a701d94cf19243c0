/** The feature of recordings, wired. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { EntityManager } from 'typeorm'
import type { Config } from '../../config/config.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { EventSink } from '../../infrastructure/database/events.js'
import { OutboxWorker } from '../../infrastructure/database/outbox.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { ChannelRecordings } from '../../adapters/freeswitch/channel-recordings.js'
import { Announcements, type TimelineNote } from './announcements.js'
import { CallRecordings } from './call-recordings.js'
import type { ChannelSounds } from '../../adapters/freeswitch/channel-sounds.js'
import { RawFiles } from './raw-files.js'
import { type NoticeSound, RecordingNotices } from './recording-notices.js'
import { Recorder } from './recorder.js'
import { RecordingJobs } from './recording-jobs.js'
import { RecordingStore, removeJob, storeJob } from './recording-store.js'
import type { Recording } from './recording.entity.js'
import { RecordingService } from './recording.service.js'
import { Retention } from './retention.js'
import { Storages } from '../../infrastructure/storage/storages.js'

interface Options {
  database: Database
  switch: ChannelRecordings
  settings: Config['recordings']
  mediaDirectory: string
  /** Gets the event of a recording that is ready. */
  events: EventSink
  note: TimelineNote
  /** Called when a call is recorded in another way, or no more. */
  changed: (workspaceId: string, callId: string) => void
  /** In the transaction that makes a voicemail ready. */
  voicemailReceived: (tx: EntityManager, voicemail: Recording) => Promise<void>
  /** In the transaction that marks a voicemail as failed: there is nothing to listen to. */
  voicemailLost: (tx: EntityManager, voicemail: Recording) => Promise<void>
  sounds: ChannelSounds
  /** What parties of recorded calls hear; null: nothing. */
  noticeOf: (workspace: Owner) => Promise<NoticeSound | null>
  /** Whether the workspace may keep more files, and the disk has room for them. */
  hasRoom: (workspace: Owner) => Promise<boolean>
  /** What a workspace may have recorded. */
  quotaOf: (workspaceId: string) => Promise<{ external: boolean; internal: boolean }>
  checkCall: (workspace: Owner, id: string) => Promise<void>
  cell: string
  /** Days for which a workspace's recordings are kept; null: for ever. */
  retentionOf: (workspace: Owner) => Promise<number | null>
  log: Logger
}

/** One workspace has two of them at most, however many it has to store or to remove. */
const jobsAtOnce = 4
const turns = { ofOwner: 2, share: 1 / 2 }
const leaseMs = 30_000

/** Pauses between attempts: 2 s at first, ten minutes at last, and never an end: nothing that was recorded is lost. */
const retryMs = (attempts: number) => Math.min(2_000 * 2 ** attempts, 600_000)

/** A raw file that no recording needs, or that cannot be decoded, is removed after a day. */
const leftoverMs = 86_400_000

export class Recordings {
  readonly service: RecordingService
  /** For calls that are recorded. */
  readonly calls: CallRecordings
  readonly retention: Retention
  private readonly recorder: Recorder
  private readonly notices: RecordingNotices
  private readonly raw: RawFiles
  private readonly store: RecordingStore
  private readonly workers: readonly OutboxWorker[]
  private readonly storages: Storages

  constructor(options: Options) {
    const { database, settings, mediaDirectory, log } = options
    const directory = join(mediaDirectory, 'recordings')
    const announcements = new Announcements(options.events, options.note, options.changed)
    const store = new RecordingStore(database, announcements, options.cell, options.voicemailLost)
    const raw = new RawFiles(join(directory, 'incoming'))
    const storages = new Storages(settings.directory || join(directory, 'kept'), settings)
    const wake = () => this.workers.forEach((worker) => worker.wake())
    const jobs = new RecordingJobs({
      ...{ database, store, raw, storages, announcements },
      voicemailReceived: options.voicemailReceived,
    })
    const removing = { concurrency: jobsAtOnce, turns, leaseMs, renewed: true, retryMs }
    const storing = { ...removing, cell: options.cell }
    this.workers = [
      new OutboxWorker(database, storeJob, async (job) => jobs.store(job), storing, log),
      new OutboxWorker(database, removeJob, async (job) => jobs.remove(job), removing, log),
    ]
    const recorder = new Recorder({ ...options, store, raw, wake })
    this.service = new RecordingService({ ...options, store, recorder, storages, wake })
    const notices = new RecordingNotices({ ...options, store, raw, soundOf: options.noticeOf })
    this.calls = new CallRecordings({ ...options, store, raw, recorder, announcements, notices })
    this.retention = new Retention({ daysOf: options.retentionOf })
    this.recorder = recorder
    this.notices = notices
    this.raw = raw
    this.store = store
    this.storages = storages
  }

  /** Makes the folder that the switch writes to, and takes up what was left. */
  async start(): Promise<void> {
    await this.raw.start()
    for (const worker of this.workers) worker.start()
    this.recorder.start()
    this.notices.start()
  }

  async stop(): Promise<void> {
    await this.notices.stop()
    await this.recorder.stop()
    await Promise.all(this.workers.map(async (worker) => worker.stop()))
    this.storages.close()
  }

  /** Deletes files that are left of recordings and are not needed. */
  async sweep(): Promise<void> {
    const idle = await this.raw.idle(leftoverMs)
    if (idle.length === 0) return
    const needed = await this.store.needed(idle)
    for (const id of idle) if (!needed.has(id)) await this.raw.remove(id)
  }
}
