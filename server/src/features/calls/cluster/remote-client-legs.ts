/**
 * Client legs whose sockets are on another server than the one that drives the call: the client's actions go to that server,
 * and its events come back. If the servers lose each other, the client is asked to connect again.
 */
import { randomUUID } from 'node:crypto'
import type { CallTokenClaims } from '../model/call-token.js'
import {
  type AppControls,
  type AppLink,
  AppRefused,
  type ClientLegRegistry,
  type ServerEvent,
} from '../clients/client-leg-registry.js'
import { ApiError } from '../../../infrastructure/http/errors.js'
import { type CallOwnership, here } from './call-ownership.js'
import type { Servers } from '../../cluster/servers.js'

interface Connect {
  readonly id: string
  readonly claims: CallTokenClaims
  readonly resume: boolean
}

const verbs = [
  ...(['answer', 'candidate', 'hangUp', 'reject', 'dtmf'] as const),
  ...(['mute', 'hold', 'unhold', 'transfer', 'camera'] as const),
]
type Verb = (typeof verbs)[number]

interface Action {
  readonly id: string
  readonly verb: Verb
  readonly given: readonly unknown[]
}

type Said = { readonly id: string } & (
  { readonly event: ServerEvent } | { readonly close: { readonly code: number; readonly reason: string } }
)

/** What was refused; null for what was done. */
type Refusal = { readonly code: AppRefused['code']; readonly message: string } | null

/** Try again later (RFC 6455, registry of close codes). */
const tryAgain = 1013

/** A socket of this server, whose seat another one has. */
interface Away {
  readonly link: AppLink
  readonly serverId: string
}

/** A seat of this server, whose socket another one has; without controls while it is given. */
interface Guest {
  controls: AppControls | undefined
  readonly serverId: string
}

export class RemoteClientLegs implements ClientLegRegistry {
  private readonly away = new Map<string, Away>()
  private readonly guests = new Map<string, Guest>()

  constructor(
    private readonly clientLegs: ClientLegRegistry,
    private readonly servers: Servers,
    private readonly driver: CallOwnership,
    private readonly cellOf: (callId: string) => Promise<string | null>,
  ) {
    servers.onAsked('seat.connect', async (asked: Connect, from) => refusalOf(this.receive(asked, from)))
    servers.onAsked('seat.do', async (asked: Action) => refusalOf(this.perform(asked)))
    servers.onNotice('seat.gone', ({ id }: { id: string }) => this.dismiss(id))
    servers.onNotice('seat.said', (said: Said) => this.receiveSaid(said))
    servers.on('gone', (serverId) => this.part(serverId))
    servers.on('lost', () => this.part())
    driver.on('moved', (_, last) => {
      if (last === here) this.dismissAll()
      else this.part(last)
    })
  }

  async connect(claims: CallTokenClaims, link: AppLink): Promise<AppControls> {
    const server = this.driver.isAlone ? here : this.driver.serverOf(await this.cellOf(claims.call_id))
    if (server === here) return this.clientLegs.connect(claims, link)
    if (server === null) throw notReady()
    const id = randomUUID()
    this.away.set(id, { link, serverId: server })
    try {
      await this.ask(server, 'seat.connect', { id, claims, resume: link.resume })
    } catch (error) {
      this.leave(id)
      throw error
    }
    return this.controlsOf(id, server)
  }

  private controlsOf(id: string, serverId: string): AppControls {
    const act = async (verb: Verb, ...given: readonly unknown[]) => {
      try {
        await this.ask(serverId, 'seat.do', { id, verb, given })
      } catch (error) {
        if (error instanceof AppRefused && error.code === 'not_ready') this.sendAway(id)
        throw error
      }
    }
    return {
      answer: async (sdp) => act('answer', sdp),
      candidate: async (candidate) => act('candidate', candidate),
      hangUp: async () => act('hangUp'),
      reject: async (reason) => act('reject', reason),
      dtmf: async (digits) => act('dtmf', digits),
      mute: async (on) => act('mute', on),
      hold: async () => act('hold'),
      unhold: async () => act('unhold'),
      transfer: async (target, reason) => act('transfer', target, reason),
      camera: async (on) => act('camera', on),
      gone: () => this.leave(id),
    }
  }

  /** @throws {AppRefused} */
  private async ask(serverId: string, name: string, body: unknown): Promise<void> {
    const refusal = (await this.servers.ask(serverId, name, body).catch((error: unknown) => {
      throw error instanceof ApiError && error.status === 503 ? notReady() : error
    })) as Refusal
    if (refusal) throw new AppRefused(refusal.code, refusal.message)
  }

  private leave(id: string): void {
    const away = this.away.get(id)
    this.away.delete(id)
    if (away) this.servers.notify(away.serverId, 'seat.gone', { id })
  }

  private receiveSaid(said: Said): void {
    const link = this.away.get(said.id)?.link
    if (!link) return
    if ('event' in said) link.send(said.event)
    else link.close(said.close.code, said.close.reason)
  }

  private async receive({ id, claims, resume }: Connect, serverId: string): Promise<void> {
    if (!this.driver.isHere) throw notReady()
    const say = (said: Said) => {
      this.servers.notify(serverId, 'seat.said', said, () => this.dismiss(id))
    }
    const guest: Guest = { controls: undefined, serverId }
    this.guests.set(id, guest)
    try {
      const controls = await this.clientLegs.connect(claims, {
        resume,
        send: (event) => say({ id, event }),
        close: (code, reason) => say({ id, close: { code, reason } }),
      })
      guest.controls = controls
      // The app may have left meanwhile.
      if (this.guests.get(id) !== guest) controls.gone()
    } catch (error) {
      this.guests.delete(id)
      throw error
    }
  }

  private async perform({ id, verb, given }: Action): Promise<void> {
    const controls = this.guests.get(id)?.controls
    if (!controls || !verbs.includes(verb)) throw notReady()
    await (controls[verb] as (...given: readonly unknown[]) => Promise<void>).apply(controls, [...given])
  }

  private dismiss(id: string): void {
    const guest = this.guests.get(id)
    this.guests.delete(id)
    guest?.controls?.gone()
  }

  /** This server drives no calls any more. */
  private dismissAll(): void {
    for (const id of [...this.guests.keys()]) this.dismiss(id)
  }

  /** A server can be reached no more, or none can. */
  private part(serverId?: string): void {
    const isLost = (one: Away | Guest) => serverId === undefined || one.serverId === serverId
    for (const [id, guest] of [...this.guests]) if (isLost(guest)) this.dismiss(id)
    for (const [id, one] of [...this.away]) if (isLost(one)) this.sendAway(id)
  }

  private sendAway(id: string): void {
    const away = this.away.get(id)
    this.away.delete(id)
    if (!away) return
    const { code, message } = notReady()
    away.link.send({ event: 'error', data: { code, message } })
    away.link.close(tryAgain, message)
  }
}

async function refusalOf(done: Promise<void>): Promise<Refusal> {
  try {
    await done
    return null
  } catch (error) {
    if (error instanceof AppRefused) return { code: error.code, message: error.message }
    throw error
  }
}

function notReady(): AppRefused {
  return new AppRefused('not_ready', 'the server that drives the call cannot be reached')
}
