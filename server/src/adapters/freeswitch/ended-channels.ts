/**
 * The switch's journal of ended channels, one line each: how channels ended whose events no server received. Its columns
 * are those of freeswitch-conf/freeswitch.xml.
 */
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type ChannelEnd, answerOf } from './channel-end.js'
import { sipStatus } from './redirects.js'
import { microseconds } from './switch-event.js'

/** Only this much of the end of a file is read. */
const maxBytes = 64 * 1024 * 1024

/** Read at a time. */
const chunkBytes = 256 * 1024

export class EndedChannels {
  /** @param path of the journal; empty where the switch keeps none */
  constructor(private readonly path: string) {}

  /** Whether the switch keeps a journal: then every ended channel is in it. */
  get isKept(): boolean {
    return this.path !== ''
  }

  /** The ends of the channels of some calls, by the calls' ids. */
  of(callIds: Iterable<string>): EndedOfCalls {
    return new EndedOfCalls(this.path, new Set(callIds))
  }
}

/**
 * How the channels of some calls ended. The first look-up reads the journal and the newest rotated one; later ones read only
 * what has been added since. Lines of other calls are not stored.
 */
export class EndedOfCalls {
  private readonly ends = new Map<string, ChannelEnd>()
  /** Up to where each file has been read, by its inode, which a rotated file keeps. */
  private readonly read = new Map<number, number>()
  private reading: Promise<void> = Promise.resolve()

  constructor(
    private readonly path: string,
    private readonly callIds: ReadonlySet<string>,
  ) {}

  /** Whether the switch keeps a journal. */
  get isKept(): boolean {
    return this.path !== ''
  }

  /** How a channel ended, or null if it is not in the journal. */
  async find(channelId: string): Promise<ChannelEnd | null> {
    if (this.isKept && !this.ends.has(channelId)) await this.readOn()
    return this.ends.get(channelId) ?? null
  }

  /** Reads one after another, even for concurrent callers. */
  private async readOn(): Promise<void> {
    const reading = this.reading
      .catch(() => undefined)
      .then(async () => {
        for (const path of [await this.laidAside(), this.path]) if (path) await this.readFile(path)
      })
    this.reading = reading
    await reading
  }

  /** The newest that was laid aside when it had grown too large; the switch names them by their time. */
  private async laidAside(): Promise<string | null> {
    const folder = dirname(this.path)
    const names = await readdir(folder).catch(() => [])
    const newest = names.filter((name) => name.startsWith(`${basename(this.path)}.`)).sort()
    const [last] = newest.slice(-1)
    return last === undefined ? null : join(folder, last)
  }

  private async readFile(path: string): Promise<void> {
    const file = await open(path, 'r').catch(() => null)
    if (!file) return
    try {
      const { ino, size } = await file.stat()
      const from = this.read.get(ino) ?? Math.max(0, size - maxBytes)
      if (size > from) this.read.set(ino, await this.readLines(file, from))
    } finally {
      await file.close()
    }
  }

  /** @returns the position after the last whole line */
  private async readLines(file: FileHandle, from: number): Promise<number> {
    const buffer = Buffer.alloc(chunkBytes)
    let position = from
    let rest = ''
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
      if (bytesRead === 0) return position - rest.length
      position += bytesRead
      const lines = (rest + buffer.toString('latin1', 0, bytesRead)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.take(line)
    }
  }

  private take(line: string): void {
    const [channelId = '', callId = ''] = line.split(',', 2)
    if (!this.callIds.has(callId)) return
    const end = endIn(line)
    if (end) this.ends.set(channelId, end)
  }
}

/** Lines of before an upgrade have fewer columns. */
function endIn(line: string): ChannelEnd | null {
  const [, , , hangupCause = '', inviteStatus, , , answered, ended, direction, toTag] = line.split(',')
  const endedAt = microseconds(ended)
  if (!endedAt || !hangupCause) return null
  const answeredAt = microseconds(answered)
  const isUnacknowledged = direction === 'inbound' && toTag === ''
  return {
    hangupCause,
    sipCode: answeredAt ? null : sipStatus(inviteStatus),
    ...answerOf({ answeredAt, endedAt, hangupCause, isUnacknowledged }),
    endedAt,
  }
}
