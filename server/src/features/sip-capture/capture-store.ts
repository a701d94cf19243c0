/**
 * Keeps captured messages on disk for a while: in files that are written one after the other, the oldest of which is
 * removed when there are too many or it is too old. There is no index: who looks for a call knows when it was.
 */
import { mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileHandle } from 'node:fs/promises'
import type { Logger } from 'pino'

export interface CaptureSettings {
  readonly directory: string
  readonly maxBytes: number
  readonly retainedMs: number
}

/** A file is closed when it is as large or as old. */
const fileBytes = 8_388_608
const fileMs = 600_000

/** What waits to be written; beyond it messages are dropped. */
const maxWaitingBytes = 8_388_608

const writeMs = 200
const tidyMs = 60_000

const fileName = /^(\d{13})\.hep$/

/** Of a record: the length of all of it, and that of the Call-ID, which follows; then the datagram. */
const headBytes = 6

export class CaptureStore {
  private file: { handle: FileHandle; begun: number; bytes: number } | undefined
  private waiting: Buffer[] = []
  private waitingBytes = 0
  private timers: NodeJS.Timeout[] = []
  private saidAt = 0
  private writing: Promise<void> = Promise.resolve()
  /** Messages that the disk was too slow for. */
  dropped = 0

  constructor(
    private readonly settings: CaptureSettings,
    private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    await mkdir(this.settings.directory, { recursive: true, mode: 0o700 })
    await this.removeParts()
    await this.tidy()
    this.timers = [
      setInterval(() => void this.flush(), writeMs),
      setInterval(() => void this.inTurn(async () => this.tidy()), tidyMs),
    ]
  }

  async stop(): Promise<void> {
    this.timers.forEach(clearInterval)
    await this.flush()
    await this.file?.handle.close()
    this.file = undefined
  }

  add(callId: string, datagram: Buffer): void {
    const id = Buffer.from(callId, 'latin1')
    const bytes = headBytes + id.length + datagram.length
    if (this.waitingBytes + bytes > maxWaitingBytes) {
      this.dropped += 1
      return
    }
    const head = Buffer.alloc(headBytes)
    head.writeUInt32BE(bytes, 0)
    head.writeUInt16BE(id.length, 4)
    this.waiting.push(head, id, datagram)
    this.waitingBytes += bytes
  }

  /** The datagrams of some Call-IDs, at most so many. @param to of the time that is looked at, in milliseconds since 1970 */
  async find(callIds: ReadonlySet<string>, from: number, to: number, most: number): Promise<Buffer[]> {
    await this.flush()
    const files = await this.files()
    const found: Buffer[] = []
    for (const [index, { begun, path }] of files.entries()) {
      const ended = files[index + 1]?.begun ?? Infinity
      if (begun > to || ended < from || found.length >= most) continue
      for (const { callId, datagram } of recordsIn(await readFile(path).catch(() => Buffer.alloc(0)))) {
        if (callIds.has(callId) && found.length < most) found.push(Buffer.from(datagram))
      }
    }
    return found
  }

  /** Removes what is kept of some Call-IDs. @throws when a file cannot be written; some may be done by then */
  async remove(callIds: ReadonlySet<string>): Promise<void> {
    await this.flush()
    const failures: unknown[] = []
    let isRead = false
    await this.inTurn(async () => {
      // What comes from now on goes into another file, and this one can be written afresh.
      await this.file?.handle.close()
      this.file = undefined
      const files = await this.files()
      isRead = true
      for (const { path } of files) {
        await removeFrom(path, callIds).catch((error: unknown) => failures.push(error))
      }
    })
    if (!isRead || failures.length > 0)
      throw new Error('captured SIP cannot be removed', { cause: failures[0] })
  }

  private async flush(): Promise<void> {
    await this.inTurn(async () => this.write())
  }

  private async inTurn(work: () => Promise<void>): Promise<void> {
    this.writing = this.writing.then(work).catch(async (error: unknown) => {
      // Half a record may be in it: what follows goes into another one.
      await this.file?.handle.close().catch(() => undefined)
      this.file = undefined
      if (Date.now() - this.saidAt < tidyMs) return
      this.saidAt = Date.now()
      this.log.warn({ event: 'sip_capture.write_failed', err: error }, 'captured SIP cannot be kept')
    })
    await this.writing
  }

  private async write(): Promise<void> {
    if (this.waiting.length === 0) return
    const all = Buffer.concat(this.waiting)
    this.waiting = []
    this.waitingBytes = 0
    const now = Date.now()
    if (!this.file || this.file.bytes >= fileBytes || now - this.file.begun >= fileMs) {
      await this.file?.handle.close()
      this.file = undefined
      await this.tidy()
      const path = join(this.settings.directory, `${now}.hep`)
      this.file = { handle: await open(path, 'ax', 0o600), begun: now, bytes: 0 }
    }
    await this.file.handle.appendFile(all)
    this.file.bytes += all.length
  }

  /** Oldest first. */
  private async files(): Promise<{ begun: number; path: string; bytes: number }[]> {
    const { directory } = this.settings
    const names = (await readdir(directory)).filter((name) => fileName.test(name)).toSorted()
    return Promise.all(
      names.map(async (name) => {
        const path = join(directory, name)
        const bytes = await stat(path).then(
          ({ size }) => size,
          () => 0,
        )
        return { begun: Number(fileName.exec(name)?.[1]), path, bytes }
      }),
    )
  }

  /** What a crash has left of a removal. */
  private async removeParts(): Promise<void> {
    const { directory } = this.settings
    const parts = (await readdir(directory)).filter((name) => name.endsWith('.part'))
    for (const name of parts) await rm(join(directory, name), { force: true })
  }

  private async tidy(): Promise<void> {
    const files = await this.files()
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0) + fileBytes
    for (const file of files) {
      const isOld = file.begun < Date.now() - this.settings.retainedMs
      if (!isOld && bytes <= this.settings.maxBytes) continue
      await rm(file.path, { force: true })
      bytes -= file.bytes
    }
  }
}

/** Puts a file without some Call-IDs in the place of the one with them: a crash leaves either. */
async function removeFrom(path: string, callIds: ReadonlySet<string>): Promise<void> {
  const content = await readFile(path)
  const records = [...recordsIn(content)]
  const kept = records.filter(({ callId }) => !callIds.has(callId))
  if (kept.length === records.length) return
  const partPath = `${path}.part`
  const part = await open(partPath, 'w', 0o600)
  try {
    await part.writeFile(Buffer.concat(kept.map(({ whole }) => whole)))
    await part.sync()
  } finally {
    await part.close()
  }
  await rename(partPath, path)
}

/** A file that was cut off in the middle of a record ends before that. */
function* recordsIn(file: Buffer): Generator<{ callId: string; datagram: Buffer; whole: Buffer }> {
  for (let at = 0; at + headBytes <= file.length;) {
    const bytes = file.readUInt32BE(at)
    const idBytes = file.readUInt16BE(at + 4)
    const begins = at + headBytes + idBytes
    if (bytes < headBytes + idBytes || at + bytes > file.length) return
    yield {
      callId: file.toString('latin1', at + headBytes, begins),
      datagram: file.subarray(begins, at + bytes),
      whole: file.subarray(at, at + bytes),
    }
    at += bytes
  }
}
