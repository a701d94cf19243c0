/** Numbers and inbound ACLs as the server writes them, and carriers that call, for tests of the edge alone. */
import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { addressRow } from '../../src/features/sip-trunks/inbound-acl-addresses.js'
import { eventually } from '../support/api-client.js'
import type { Mariadb } from '../support/mariadb.js'
import type { Transport } from '../support/sip-link.js'
import { type Answer, SipPhone } from '../support/sip-phone.js'
import { EdgeWorld } from './accounts.js'

export interface Acl {
  id: string
  workspace: string
}

export interface TrunkNumber {
  id: string
  number: string
  workspace: string
  acl: string
}

const newId = (prefix: string): string => `${prefix}_${randomBytes(8).toString('hex')}`

/** A number that no other test calls, without a plus sign. */
export function newDigits(): string {
  return `1${2_000_000_000 + (randomBytes(4).readUInt32BE() % 900_000_000)}`
}

/** @param entries addresses and blocks */
export async function newAcl(
  world: EdgeWorld,
  entries: string[],
  workspace = 'acme',
  { trusts_identity = false } = {},
): Promise<Acl> {
  const id = newId('acl')
  await world.query(
    `INSERT IGNORE INTO workspaces (id, title, country_code, created_at, updated_at) VALUES (?, ?, 'US', NOW(3), NOW(3))`,
    [workspace, workspace],
  )
  await world.query('INSERT INTO inbound_acls SET ?, created_at = NOW(3), updated_at = NOW(3)', [
    {
      ...{ id, workspace_id: workspace, title: 'Carrier', mode: 'ip', trusts_identity },
      allowed_ips: JSON.stringify(entries),
    },
  ])
  for (const entry of entries) {
    await world.query('INSERT INTO inbound_acl_addresses SET ?', [addressRow(id, '', entry)])
  }
  return { id, workspace }
}

export async function newNumber(
  world: EdgeWorld,
  acl: Acl,
  { number = newDigits(), status = 'active', ageSeconds = 0, isVerified = false } = {},
): Promise<TrunkNumber> {
  const id = newId('pn')
  await world.query('INSERT INTO phone_numbers SET ?, created_at = NOW(3) - INTERVAL ? SECOND', [
    {
      ...{
        id,
        workspace_id: acl.workspace,
        title: 'Main',
        number,
        country_code: 'US',
        dial_code: '1',
        status,
      },
      ...{ type: 'local', capabilities: '["voice"]', provider: 'own', enable_outbound: 0 },
      ...{ inbound_acl_id: acl.id, record_outbound: 0, fee_per_month: 0, fee_per_mins_call: 0 },
      is_verified: isVerified,
      updated_at: new Date(),
    },
    ageSeconds,
  ])
  return { id, number, workspace: acl.workspace, acl: acl.id }
}

type CallOptions = Parameters<SipPhone['request']>[2]

/** An edge with a number that one carrier may call, and a switch that answers as a test wants. */
export class TrunkWorld {
  private readonly ends: SipPhone[] = []
  private addresses = 100

  private constructor(
    readonly world: EdgeWorld,
    /** In the place of the switch; answers all with 200. */
    readonly fabric: SipPhone,
    readonly carrierHost: string,
    readonly acl: Acl,
    /** The number that the carrier may call. */
    readonly number: TrunkNumber,
  ) {}

  /** @param entries of the number's ACL; the carrier's address by default */
  static async start(
    overrides: Parameters<typeof EdgeWorld.start>[0] = {},
    { carrierHost = '127.0.0.81', entries = [carrierHost], mariadb }: StartOptions = {},
  ): Promise<TrunkWorld> {
    const world = await EdgeWorld.start(overrides, mariadb)
    const acl = await newAcl(world, entries)
    const number = await newNumber(world, acl)
    return new TrunkWorld(world, await SipPhone.asSwitch(world.edge.options), carrierHost, acl, number)
  }

  /** Opens somebody who calls from an address; the carrier, unless said otherwise. */
  async open(host = this.carrierHost, transport: Transport = 'udp'): Promise<SipPhone> {
    const options = { host, transport, username: '+12025550123', domain: 'carrier.example', password: '' }
    const end = await SipPhone.open(this.world.edge.options, options)
    this.ends.push(end)
    return end
  }

  /** An address that nothing was heard from. */
  newAddress(): string {
    return `127.0.0.${this.addresses++}`
  }

  uriOf(user: string): string {
    const { sipHost } = this.world.edge.options
    return `sip:${user}@${sipHost.includes(':') ? `[${sipHost}]` : sipHost}`
  }

  async call(from: SipPhone, user = this.number.number, options: CallOptions = {}): Promise<Answer> {
    return from.request('INVITE', this.uriOf(user), { to: this.uriOf(user), ...options })
  }

  /** Calls, and returns the status of the final answer. */
  async status(...parameters: Parameters<TrunkWorld['call']>): Promise<number> {
    return (await this.call(...parameters)).status
  }

  /** The latest INVITE at the switch. */
  arrived(): { text: string } {
    const text = this.fabric.requests.findLast((request) => request.startsWith('INVITE '))
    if (!text) throw new Error('no call came to the switch')
    return { text }
  }

  /** Closes who called, and forgets what they did. */
  reset(): void {
    for (const end of this.ends.splice(0)) end.close()
    this.fabric.requests.length = 0
    this.fabric.answerTo = (request) => this.fabric.reply(request, 200, 'OK')
  }

  async stop(): Promise<void> {
    this.reset()
    this.fabric.close()
    await this.world.stop()
  }
}

interface StartOptions {
  carrierHost?: string
  entries?: string[]
  mariadb?: Mariadb
}

/** Waits until an end has seen these methods, and no others. */
export async function saw(end: SipPhone, wanted: string[]): Promise<void> {
  const methods = (): string[] => end.requests.map((text) => text.split(' ', 1)[0] ?? '')
  await eventually(
    async () => methods(),
    (seen) => seen.length >= wanted.length,
    { what: wanted.join(', ') },
  )
  expect(methods()).to.deep.equal(wanted)
}
