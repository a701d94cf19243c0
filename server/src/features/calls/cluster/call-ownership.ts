/**
 * Which server drives which calls. Those of a cell are driven by the server that its switch is linked to: of several
 * servers of a cell one at a time. The others hand to it what needs a call that lives.
 */
import { EventEmitter } from 'node:events'
import type { SwitchLink } from '../../../adapters/freeswitch/switch-link.js'
import type { Servers } from '../../cluster/servers.js'

interface Driving {
  readonly drives: boolean
  readonly cell: string
}

interface CallDriverEvents {
  /** Another server drives the calls of a cell than did before. @param last the one before; `here`: this one */
  moved: [cell: string, last: string]
}

/** In place of a server's id: this one. */
export const here = 'here'

export class CallOwnership extends EventEmitter<CallDriverEvents> {
  /** Other servers that drive, by their cell. */
  private readonly known = new Map<string, string>()
  /** The last one of each cell, which may drive it again. */
  private readonly last = new Map<string, string>()

  /** @param isShared whether there may be other servers @param cell the one that this server belongs to */
  constructor(
    private readonly servers: Servers,
    private readonly link: Pick<SwitchLink, 'isUp' | 'on'>,
    private readonly isShared: boolean,
    readonly cell: string,
  ) {
    super()
    this.setMaxListeners(0)
    if (!isShared) return
    link.on('up', () => {
      this.known.delete(cell)
      this.moveTo(cell, here)
      this.report(true)
    })
    link.on('down', () => this.report(false))
    const announce = () => {
      if (link.isUp) this.report(true)
    }
    servers.on('hello', announce)
    // Others may have forgotten this server while it could not be heard.
    servers.on('found', announce)
    servers.announceDriven(() => (link.isUp ? cell : null))
    servers.on('alive', (from, driven) => {
      if (driven === null) this.forget(from)
      // A known driver stays: of two, one that is slow to notice its loss says it as often as the other.
      else if (!this.known.has(driven)) this.learn(driven, from)
    })
    servers.on('gone', (serverId) => this.forget(serverId))
    servers.onShared('driving', ({ drives, cell: driven }: Driving, from) => {
      if (drives) this.learn(driven, from)
      else this.forget(from)
    })
  }

  /** Whether this server drives the calls of its cell, or is alone: then it also answers for them while the switch is away. */
  get isHere(): boolean {
    return !this.isShared || this.link.isUp
  }

  /** Whether there is no other server. */
  get isAlone(): boolean {
    return !this.isShared
  }

  /** The other server that drives the calls of this cell; null when this one does, or none is known. */
  get elsewhere(): string | null {
    return this.isHere ? null : (this.known.get(this.cell) ?? null)
  }

  /** Other servers that drive calls: of this cell, or of another. */
  get others(): ReadonlyMap<string, string> {
    return this.isHere ? new Map([...this.known].filter(([cell]) => cell !== this.cell)) : this.known
  }

  /**
   * The server that drives a cell, or {@link here}; null when none is known.
   * @param cell null: any will do
   */
  serverOf(cell: string | null): string | null {
    if (this.isHere && (!this.isShared || cell === null || cell === this.cell)) return here
    if (cell !== null) return this.known.get(cell) ?? null
    return this.known.get(this.cell) ?? [...this.known.values()][0] ?? null
  }

  private report(drives: boolean): void {
    this.servers.share('driving', { drives, cell: this.cell } satisfies Driving)
  }

  private learn(cell: string, server: string): void {
    // The link to the switch is the truth; the other server may be slow to notice its loss.
    if (cell === this.cell && this.link.isUp) return
    this.known.set(cell, server)
    this.moveTo(cell, server)
  }

  private moveTo(cell: string, server: string): void {
    const last = this.last.get(cell)
    this.last.set(cell, server)
    if (last !== undefined && last !== server) this.emit('moved', cell, last)
  }

  private forget(serverId: string): void {
    for (const [cell, id] of this.known) if (id === serverId) this.known.delete(cell)
  }
}
