/** Numbers and inbound ACLs as the server writes them, for tests of the edge alone. */
import { randomBytes } from 'node:crypto'
import { addressRow } from '../../src/sip-trunks/inbound-acl-addresses.js'
import type { EdgeWorld } from './accounts.js'

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
export async function newAcl(world: EdgeWorld, entries: string[], workspace = 'acme'): Promise<Acl> {
  const id = newId('acl')
  await world.query(
    `INSERT IGNORE INTO workspaces (id, title, country_code, created_at, updated_at) VALUES (?, ?, 'US', NOW(3), NOW(3))`,
    [workspace, workspace],
  )
  await world.query(`INSERT INTO inbound_acls VALUES (?, ?, 'Carrier', 'ip', ?, NOW(3), NOW(3))`, [
    ...[id, workspace],
    JSON.stringify(entries),
  ])
  for (const entry of entries) {
    await world.query('INSERT INTO inbound_acl_addresses SET ?', [addressRow(id, '', entry)])
  }
  return { id, workspace }
}

export async function newNumber(
  world: EdgeWorld,
  acl: Acl,
  { number = newDigits(), status = 'active', ageSeconds = 0 } = {},
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
      updated_at: new Date(),
    },
    ageSeconds,
  ])
  return { id, number, workspace: acl.workspace, acl: acl.id }
}
