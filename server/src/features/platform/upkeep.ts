/** What needs attention in time: certificates that expire, disks that fill, backups that grow old. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { certificateOf } from './certificate.js'
import { type Directories, type Disk, disksOf } from './disks.js'

interface Address {
  readonly host: string
  readonly port: number
}

export interface UpkeepSeen {
  /** When the certificates end that listeners show; null where none was seen. */
  readonly certificates: Readonly<Record<'sip' | 'https', Date | null>>
  readonly disks: readonly Disk[]
  /** When the last backup was made, 0 where none was, in milliseconds since 1970; null where that is not known. */
  readonly backupAt: number | null
}

interface Parts {
  readonly listeners: Readonly<Record<'sip' | 'https', Address | null>>
  readonly directories: Directories
}

/** All of it changes slowly. */
const everyMs = 60_000
/** If a network disk hangs, nothing is reported rather than the state before. */
const hungMs = 2 * everyMs

const nothing: UpkeepSeen = { certificates: { sip: null, https: null }, disks: [], backupAt: null }

export class Upkeep {
  private last = nothing
  /** The last look. */
  private begunAt = -Infinity
  private isLooking = false

  constructor(private readonly parts: Parts) {}

  /** What was seen last. Returns at once; a new look begins when it is due and the previous one is over. */
  get seen(): UpkeepSeen {
    const age = performance.now() - this.begunAt
    if (this.isLooking) return age >= hungMs ? nothing : this.last
    if (age >= everyMs) void this.look()
    return this.last
  }

  private async look(): Promise<void> {
    this.begunAt = performance.now()
    this.isLooking = true
    const { listeners, directories } = this.parts
    const [sip, https, disks, backupAt] = await Promise.all([
      endOf(listeners.sip),
      endOf(listeners.https),
      disksOf(directories),
      backupAtOf(directories.state),
    ])
    this.last = { certificates: { sip, https }, disks, backupAt }
    this.isLooking = false
  }
}

async function endOf(listener: Address | null): Promise<Date | null> {
  return listener && ((await certificateOf(listener))?.until ?? null)
}

/** The installer writes down when it has made one (installer/backups/make.mjs). */
async function backupAtOf(state: string | null): Promise<number | null> {
  if (state === null) return null
  return readFile(join(state, 'run/last-backup'), 'utf8').then(
    (text) => Date.parse(text.trim()) || 0,
    (error: unknown) => ((error as NodeJS.ErrnoException).code === 'ENOENT' ? 0 : null),
  )
}
