/** The bindings that gateways ask for: written with the gateway, and worked on by {@link GatewayRegistrar}. */
import { randomBytes } from 'node:crypto'
import { type EntityManager, In } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { purposes } from '../../infrastructure/database/sealed-columns.js'
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import { GatewayRegistration } from './gateway-registration.entity.js'
import { isHost } from '../../lib/hosts.js'
import { OutboundGateway } from './outbound-gateway.entity.js'

const made = 500

/** A change of these makes a new binding. `state` and `register` end it or begin it. */
const defining = [
  ...(['outbound_uris', 'from_user', 'contact_host', 'request_domain'] as const),
  ...(['register', 'register_user', 'register_domain', 'register_expires'] as const),
] as const

/** @throws 400 for what cannot register */
export function checkRegistration(
  gateway: Pick<OutboundGateway, 'register' | 'register_domain' | 'credential_username'>,
): void {
  if (gateway.register_domain !== null && !isHost(gateway.register_domain))
    throw invalidField('register_domain', 'register_domain must be an IP address or a host name')
  if (gateway.register && gateway.credential_username === null)
    throw invalidField('credential', 'credential is required where register is true')
}

/** The serial that a gateway has after a change. */
export function serialAfter(
  { registration_serial: serial }: Pick<OutboundGateway, 'registration_serial'>,
  changes: Partial<OutboundGateway>,
  changesCredential: boolean,
): number {
  return changesCredential || defining.some((field) => changes[field] !== undefined) ? serial + 1 : serial
}

/** What a gateway registers: user and domain of its address of record. */
export function addressOfRecord(gateway: OutboundGateway): { user: string; domain: string } {
  const [first] = [...gateway.outbound_uris].sort((a, b) => a.priority - b.priority)
  const name = (gateway.credential_username ?? '').replace(/(.)@.*$/, '$1')
  return {
    user: gateway.register_user ?? gateway.from_user ?? name,
    domain: gateway.register_domain ?? gateway.request_domain ?? first?.uri ?? '',
  }
}

export class GatewayRegistrations {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  /** Makes the binding of a gateway what the gateway says, in the transaction that writes it. */
  async keep(tx: EntityManager, gateway: OutboundGateway): Promise<void> {
    const current = await tx.findOneBy(GatewayRegistration, { current_of: gateway.id })
    const { register, state, registration_serial: serial } = gateway
    const { credential_username: username, credential_password: sealed } = gateway
    const isWanted = register && state === 'active' && username !== null && sealed !== null
    if (isWanted ? current?.serial === serial : !current) return
    const now = new Date()
    if (current) await tx.update(GatewayRegistration, { id: current.id }, { current_of: null, due_at: now })
    if (!isWanted) return
    const id = newId('gr')
    const { user, domain } = addressOfRecord(gateway)
    const password = this.secrets.open(sealed, purposes.gateway(gateway.id))
    await tx.insert(GatewayRegistration, {
      ...{ id, workspace_id: gateway.workspace_id, gateway_id: gateway.id, current_of: gateway.id, serial },
      ...{ aor_user: user, aor_domain: domain, username, expires: gateway.register_expires },
      password: this.secrets.seal(password, purposes.gatewayRegistration(id)),
      contact_user: `jf${randomBytes(20).toString('hex')}`,
      ...{ contact_host: gateway.contact_host, sip_call_id: randomBytes(16).toString('hex'), cseq: 0 },
      ...{ edge: '', target: null, contact: null, status: 'registering', sip_code: null, reason: null },
      ...{ failures: 0, since: now, registered_at: null, registered_until: null },
      ...{ due_at: now, busy_until: null },
    })
  }

  /** The bindings of gateways, by gateway. */
  async of(gatewayIds: readonly string[]): Promise<Map<string, GatewayRegistration>> {
    if (gatewayIds.length === 0) return new Map()
    const rows = await this.database
      .platformTable(GatewayRegistration)
      .findBy({ current_of: In([...gatewayIds]) })
    return new Map(rows.map((row) => [row.gateway_id, row]))
  }

  /** Ends bindings whose gateways are gone or want none, and makes those that are missing. */
  async reconcile(): Promise<void> {
    await this.database.source.query(
      `UPDATE gateway_registrations r
         LEFT JOIN outbound_gateways g ON g.id = r.gateway_id
         LEFT JOIN workspaces w ON w.id = r.workspace_id
       SET r.current_of = NULL, r.due_at = ?
       WHERE r.current_of IS NOT NULL AND (g.id IS NULL OR g.register = 0 OR g.state <> 'active'
         OR g.registration_serial <> r.serial OR w.id IS NULL OR w.deleted_at IS NOT NULL OR w.is_suspended = 1)`,
      [new Date()],
    )
    const missing = await this.database.source.query<{ id: string }[]>(
      `SELECT g.id FROM outbound_gateways g
         JOIN workspaces w ON w.id = g.workspace_id AND w.deleted_at IS NULL AND w.is_suspended = 0
         LEFT JOIN gateway_registrations r ON r.current_of = g.id
       WHERE g.register = 1 AND g.state = 'active' AND r.id IS NULL LIMIT ${String(made)}`,
    )
    for (const { id } of missing)
      await this.database.transaction(async (tx) => {
        const gateway = await tx.findOne(OutboundGateway, {
          where: { id },
          lock: { mode: 'pessimistic_write' },
        })
        if (gateway) await this.keep(tx, gateway)
      })
  }

  /** The password of a binding. @throws {Error} sealed with a key that is lost */
  passwordOf({ id, password }: GatewayRegistration): string {
    return this.secrets.open(password, purposes.gatewayRegistration(id))
  }

  /**
   * Takes bindings in hand whose REGISTER is due, a few of each workspace, those first that wait longest. A new binding
   * waits until the one before has been taken back, or its registrar has not answered to that.
   */
  async claim(most: {
    atOnce: number
    ofWorkspace: number
    leaseMs: number
    /** Workspaces whose turn it is not. */
    butOf: readonly string[]
  }): Promise<GatewayRegistration[]> {
    const now = new Date()
    const due = await this.database.source.query<{ id: string }[]>(
      `SELECT id FROM (
         SELECT r.id, r.due_at, ROW_NUMBER() OVER (PARTITION BY r.workspace_id ORDER BY r.due_at) AS place
         FROM gateway_registrations r
         WHERE r.due_at <= ? AND (r.busy_until IS NULL OR r.busy_until <= ?) AND r.workspace_id NOT IN (?)
           AND (r.current_of IS NULL OR NOT EXISTS (
             SELECT 1 FROM gateway_registrations l
             WHERE l.gateway_id = r.gateway_id AND l.current_of IS NULL AND l.failures = 0))
       ) AS due WHERE place <= ? ORDER BY place, due_at LIMIT ?`,
      [now, now, ['', ...most.butOf], most.ofWorkspace, most.atOnce],
    )
    const busy_until = new Date(now.getTime() + most.leaseMs)
    const taken: string[] = []
    for (const { id } of due) {
      const { affectedRows } = await this.database.source.query<{ affectedRows: number }>(
        `UPDATE gateway_registrations SET busy_until = ?
         WHERE id = ? AND (busy_until IS NULL OR busy_until <= ?)`,
        [busy_until, id, now],
      )
      if (affectedRows > 0) taken.push(id)
    }
    return taken.length > 0 ? this.database.platformTable(GatewayRegistration).findBy({ id: In(taken) }) : []
  }
}
