import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Gateways that register at their carriers. A row is one binding of a registrar; `current_of` is its gateway until the
 * binding is taken back. The edge asks `registered_numbers` for calls that come to such a binding, or from its registrar.
 */
export class GatewayRegistrations1790000000180 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE outbound_gateways
      ADD COLUMN register TINYINT(1) NOT NULL DEFAULT 0,
      ADD COLUMN register_user VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD COLUMN register_domain VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD COLUMN register_expires INT NOT NULL DEFAULT 3600,
      ADD COLUMN registration_serial INT NOT NULL DEFAULT 0,
      ADD INDEX outbound_gateways_register (register)`)
    await runner.query(`CREATE TABLE gateway_registrations (
      id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
      workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      gateway_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      current_of VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
      serial INT NOT NULL,
      aor_user VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
      aor_domain VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      username VARCHAR(64) NOT NULL,
      password VARCHAR(512) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      expires INT NOT NULL,
      contact_user VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      contact_host VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NULL,
      sip_call_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      cseq INT NOT NULL DEFAULT 0,
      edge VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
      target JSON NULL,
      contact VARCHAR(400) CHARACTER SET ascii COLLATE ascii_bin NULL,
      status VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      sip_code SMALLINT NULL,
      reason VARCHAR(100) NULL,
      failures INT NOT NULL DEFAULT 0,
      since DATETIME(3) NOT NULL,
      registered_at DATETIME(3) NULL,
      registered_until DATETIME(3) NULL,
      due_at DATETIME(3) NOT NULL,
      busy_until DATETIME(3) NULL,
      UNIQUE INDEX gateway_registrations_current (current_of),
      UNIQUE INDEX gateway_registrations_contact (contact_user),
      INDEX gateway_registrations_gateway (gateway_id),
      INDEX gateway_registrations_workspace (workspace_id),
      INDEX gateway_registrations_due (due_at)
    )`)
    await runner.query(`
      CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW registered_numbers AS
        SELECT n.number, n.id AS number_id, n.workspace_id, n.inbound_acl_id AS acl_id, n.status, n.created_at,
          INET6_ATON(IF(a.address LIKE '%:%', a.address, CONCAT('::ffff:', a.address))) AS first_address,
          INET6_ATON(IF(a.address LIKE '%:%', a.address, CONCAT('::ffff:', a.address))) AS last_address,
          0 AS is_wide, n.is_verified, l.trusts_identity,
          n.national_number, n.dial_code, l.calling_code, l.inbound_number_format, l.inbound_number_prefix,
          l.called_number_from, r.contact_user, r.aor_user
        FROM gateway_registrations r
          JOIN outbound_gateways g ON g.id = r.gateway_id AND g.register = 1 AND g.state = 'active'
          JOIN phone_numbers n ON n.outbound_gateway_id = r.gateway_id
          LEFT JOIN inbound_acls l ON l.id = n.inbound_acl_id
          LEFT JOIN gateway_addresses a ON a.gateway_id = r.gateway_id AND a.address <> ''
            AND (a.address = a.host OR a.seen_at > UTC_TIMESTAMP(3) - INTERVAL 1 DAY)
        WHERE r.registered_until > UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW registered_numbers')
    await runner.query('DROP TABLE gateway_registrations')
    await runner.query(`ALTER TABLE outbound_gateways
      DROP INDEX outbound_gateways_register, DROP COLUMN register, DROP COLUMN register_user,
      DROP COLUMN register_domain, DROP COLUMN register_expires, DROP COLUMN registration_serial`)
  }
}
