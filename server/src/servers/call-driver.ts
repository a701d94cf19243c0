/**
 * Which server drives calls: that which the switch is linked to. Of several servers one drives the switch at a time; the
 * others hand to it what needs a call that lives.
 */
import { EventEmitter } from 'node:events'
import type { SwitchLink } from '../switch/switch-link.js'
import type { Servers } from './servers.js'

interface Driving {
  readonly drives: boolean
}

interface CallDriverEvents {
  /** Another server drives the calls than did before. */
  moved: []
}

const here = 'here'

export class CallDriver extends EventEmitter<CallDriverEvents> {
  private known: string | null = null
  /** The last one, which may drive them again. */
  private last: string | null = null

  /** @param isShared whether there may be other servers */
  constructor(
    private readonly servers: Servers,
    private readonly link: Pick<SwitchLink, 'isUp' | 'on'>,
    private readonly isShared: boolean,
  ) {
    super()
    if (!isShared) return
    link.on('up', () => {
      this.known = null
      this.moveTo(here)
      this.tell(true)
    })
    link.on('down', () => this.tell(false))
    servers.on('hello', () => {
      if (link.isUp) this.tell(true)
    })
    servers.on('gone', (serverId) => this.forget(serverId))
    servers.onShared('driving', ({ drives }: Driving, from) => {
      if (!drives) {
        this.forget(from)
        return
      }
      // The switch knows better than one that has been slow to notice.
      if (link.isUp) return
      this.known = from
      this.moveTo(from)
    })
  }

  /** Whether this server does, or is alone: then it also answers for calls while the switch is away. */
  get isHere(): boolean {
    return !this.isShared || this.link.isUp
  }

  /** The other server that does; null when this one does, or nobody is known to. */
  get elsewhere(): string | null {
    return this.isHere ? null : this.known
  }

  private tell(drives: boolean): void {
    this.servers.share('driving', { drives })
  }

  private moveTo(server: string): void {
    const isMoved = this.last !== null && this.last !== server
    this.last = server
    if (isMoved) this.emit('moved')
  }

  private forget(serverId: string): void {
    if (this.known === serverId) this.known = null
  }
}
