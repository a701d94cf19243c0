import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Gateways whose addresses are asked by OPTIONS whether they answer, and what each said to an edge. */
export class GatewayPings1790000000171 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE outbound_gateways
      ADD COLUMN options_ping TINYINT(1) NOT NULL DEFAULT 0,
      ADD KEY outbound_gateways_by_options_ping (options_ping, id)`)
    await runner.query(`
      CREATE TABLE gateway_pings (
        gateway_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        edge VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        host VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        address VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        port SMALLINT UNSIGNED NOT NULL,
        transport VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        state VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        status_code SMALLINT UNSIGNED NULL,
        round_trip_ms INT UNSIGNED NOT NULL,
        since DATETIME(3) NOT NULL,
        checked_at DATETIME(3) NOT NULL,
        PRIMARY KEY (gateway_id, edge, host, address, port, transport),
        KEY gateway_pings_by_checked_at (checked_at),
        CONSTRAINT gateway_pings_gateway FOREIGN KEY (gateway_id) REFERENCES outbound_gateways (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateway_pings')
    await runner.query(
      'ALTER TABLE outbound_gateways DROP KEY outbound_gateways_by_options_ping, DROP COLUMN options_ping',
    )
  }
}
