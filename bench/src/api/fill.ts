/** Fills the table of phone numbers, straight in the database: a million rows in less than a minute. */
import { type Connection, createConnection } from 'mysql2/promise'
import type { Appliance, TestWorkspace } from '../../../server/dist/test/support/appliance.js'
import type { GrowthTable } from './growth-tables.js'

const rowsAtOnce = 10_000

/** A connection to an appliance's database. */
export async function connectTo(appliance: Appliance): Promise<Connection> {
  const { host, port, user, password } = appliance.mariadb
  return createConnection({ host, port, user, password, database: appliance.databaseName })
}

/** Makes workspaces with an ACL each and spreads rows evenly over them, one workspace after the other. */
export async function fillOthers(connection: Connection, workspaces: number, rows: number): Promise<void> {
  await connection.query(
    `INSERT INTO workspaces (id, title, country_code, created_at, updated_at)
     SELECT CONCAT('other', seq), 'Other', 'US', NOW(3), NOW(3) FROM seq_1_to_${workspaces}`,
  )
  await connection.query(
    `INSERT INTO inbound_acls (id, workspace_id, title, mode, allowed_ips, created_at, updated_at)
     SELECT CONCAT('acl_', seq), CONCAT('other', seq), 'ACL', 'ip', '["127.0.0.1"]', NOW(3), NOW(3)
     FROM seq_1_to_${workspaces}`,
  )
  const other = `FLOOR(seq / ${Math.ceil(rows / workspaces)}) + 1`
  await connection.query('SET SESSION foreign_key_checks = 0, SESSION unique_checks = 0')
  for (let from = 0; from < rows; from += rowsAtOnce) {
    const to = Math.min(from + rowsAtOnce, rows) - 1
    await insertNumbers(connection, `CONCAT('other', ${other})`, `CONCAT('acl_', ${other})`, [from, to])
  }
}

/** Gives a workspace rows of its own. @param first number of the first one; no two fills may overlap */
export async function fillWorkspace(
  connection: Connection,
  workspace: TestWorkspace,
  first: number,
  rows: number,
): Promise<void> {
  const acl = await workspace.api.post('/sip-trunks/acls', {
    title: 'ACL',
    mode: 'ip',
    allowed_ips: ['127.0.0.1'],
  })
  const { id } = acl.body as { id: string }
  await insertNumbers(connection, `'${workspace.id}'`, `'${id}'`, [first, first + rows - 1])
}

async function insertNumbers(
  connection: Connection,
  workspaceId: string,
  aclId: string,
  [from, to]: [number, number],
): Promise<void> {
  await connection.query(
    `INSERT INTO phone_numbers (id, workspace_id, title, number, country_code, dial_code, status, type,
       capabilities, provider, enable_outbound, inbound_acl_id, record_outbound, fee_per_month,
       fee_per_mins_call, created_at, updated_at)
     SELECT CONCAT('pn_', LPAD(seq, 26, '0')), ${workspaceId}, CONCAT('Number ', seq), CONCAT('1202', LPAD(seq, 7, '0')),
       'US', '1', 'active', 'local', '["voice","sms"]', 'sip_trunk', 1, ${aclId}, 0, 1.5, 0.012,
       TIMESTAMPADD(SECOND, seq, '2026-01-01'), TIMESTAMPADD(SECOND, seq, '2026-01-01')
     FROM seq_${from}_to_${to}`,
  )
}

/** Fills one of the tables whose lists are measured. @param range numbers of the first and the last row */
export async function insertRows(
  connection: Connection,
  table: GrowthTable,
  workspaceId: string,
  [from, to]: readonly [number, number],
): Promise<void> {
  const time = "TIMESTAMPADD(SECOND, seq, '2026-01-01')"
  const values: Record<string, string> = {
    id: `CONCAT('x_', LPAD(seq, 26, '0'))`,
    workspace_id: workspaceId,
    ...table.columns,
    created_at: time,
    ...(table.updated !== false && { updated_at: time }),
  }
  await connection.query(
    `INSERT INTO ${table.name} (${Object.keys(values).join(', ')})
     SELECT ${Object.values(values).join(', ')} FROM seq_${from}_to_${to}`,
  )
}
