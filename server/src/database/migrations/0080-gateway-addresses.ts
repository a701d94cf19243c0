import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Where gateways lead: their hosts, and the addresses that names were seen with. A carrier that knows us by our address takes
 * calls of every workspace for its customer's, so a gateway to another workspace's carrier needs the operator's approval.
 */
export class GatewayAddresses1790000000080 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbound_gateways ADD COLUMN is_approved TINYINT(1) NOT NULL DEFAULT 0')
    // Those that there are go on.
    await runner.query('UPDATE outbound_gateways SET is_approved = 1')
    await runner.query(`
      CREATE TABLE gateway_addresses (
        gateway_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        host VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        port SMALLINT UNSIGNED NOT NULL,
        address VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        first_seen_at DATETIME(3) NOT NULL,
        seen_at DATETIME(3) NOT NULL,
        due_at DATETIME(3) NULL,
        PRIMARY KEY (gateway_id, host, port, address),
        KEY gateway_addresses_by_host (host),
        KEY gateway_addresses_by_address (address),
        KEY gateway_addresses_by_due_at (due_at),
        CONSTRAINT gateway_addresses_gateway FOREIGN KEY (gateway_id) REFERENCES outbound_gateways (id) ON DELETE CASCADE
      )`)
    await fill(runner)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateway_addresses')
    await runner.query('ALTER TABLE outbound_gateways DROP COLUMN is_approved')
  }
}

interface Gateway {
  id: string
  workspace_id: string
  created_at: Date
  /** JSON, which MariaDB returns as text and MySQL as an array. */
  outbound_uris: string | { uri: string; port: number }[]
}

/** The hosts of existing gateways; addresses are normalized, names are due at once. */
async function fill(runner: QueryRunner): Promise<void> {
  const gateways = (await runner.query(
    'SELECT id, workspace_id, created_at, outbound_uris FROM outbound_gateways',
  )) as Gateway[]
  for (const { id, workspace_id, created_at, outbound_uris } of gateways) {
    const uris =
      typeof outbound_uris === 'string'
        ? (JSON.parse(outbound_uris) as { uri: string; port: number }[])
        : outbound_uris
    for (const { uri, port } of uris) {
      if (uri.toLowerCase().endsWith('.sandbox')) continue
      const isAddress = isIP(uri) !== 0
      const host = isAddress ? ipaddr.process(uri).toString() : uri.toLowerCase()
      await runner.query('INSERT IGNORE INTO gateway_addresses VALUES (?, ?, ?, ?, ?, ?, ?, ?)', [
        ...[id, workspace_id, host, port, isAddress ? host : ''],
        ...[created_at, created_at, isAddress ? null : new Date()],
      ])
    }
  }
}
