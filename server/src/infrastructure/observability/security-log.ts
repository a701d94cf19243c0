/**
 * The log of what concerns security: log-ins, lock-outs, supervision, downloads. It has a file of its own, which is rotated
 * by its own size, so that ordinary traffic does not push it out.
 */
import { existsSync, renameSync, statSync } from 'node:fs'
import { type Logger, pino } from 'pino'

/** Old files that are kept, beside the present one. */
const kept = 9
/** How often the size is looked at. */
const usualCheckMs = 5_000

export class SecurityLog {
  readonly logger: Logger
  private readonly destination: ReturnType<typeof pino.destination> | null
  private inode: number | undefined
  private readonly timer: NodeJS.Timeout | undefined

  /**
   * @param path where it is; '' writes it to the log of the server
   * @param otherwise that log
   */
  constructor(
    private readonly path: string,
    private readonly maxBytes: number,
    otherwise: Logger,
    { checkMs = usualCheckMs }: { checkMs?: number } = {},
  ) {
    if (path === '') {
      this.destination = null
      this.logger = otherwise.child({ log: 'security' })
      return
    }
    this.destination = pino.destination({ dest: path, sync: true, mkdir: true, mode: 0o640 })
    this.destination.on('error', () => undefined)
    this.logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, this.destination)
    this.inode = statSync(path, { throwIfNoEntry: false })?.ino
    this.timer = setInterval(() => this.rotate(), checkMs)
    this.timer.unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** Puts the file aside once it is full: `security.log.1` is the youngest of the old ones. */
  private rotate(): void {
    try {
      const file = statSync(this.path, { throwIfNoEntry: false })
      // Another server on this machine has put it aside, or somebody has removed it.
      if (!file || file.ino !== this.inode) {
        this.reopen()
        return
      }
      if (file.size < this.maxBytes) return
      for (let number = kept - 1; number >= 1; number--) {
        const old = `${this.path}.${number}`
        if (existsSync(old)) renameSync(old, `${this.path}.${number + 1}`)
      }
      renameSync(this.path, `${this.path}.1`)
      this.reopen()
    } catch {
      // A disk that is full, or a folder that is gone, is tried again.
    }
  }

  private reopen(): void {
    this.destination?.reopen()
    this.inode = statSync(this.path, { throwIfNoEntry: false })?.ino
  }
}
