import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Inbound ACLs, outbound gateways, and the phone numbers that use them. */
export class TrunksAndNumbers1790000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE inbound_acls (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        title VARCHAR(36) NOT NULL,
        mode VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        allowed_ips JSON NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        KEY inbound_acls_by_created_at (workspace_id, created_at, id),
        KEY inbound_acls_by_title (workspace_id, title, id),
        CONSTRAINT inbound_acls_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE outbound_gateways (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        title VARCHAR(36) NOT NULL,
        outbound_caller_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        outbound_uris JSON NOT NULL,
        credential_username VARCHAR(64) NULL,
        credential_password VARCHAR(512) CHARACTER SET ascii COLLATE ascii_bin NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        KEY outbound_gateways_by_created_at (workspace_id, created_at, id),
        KEY outbound_gateways_by_title (workspace_id, title, id),
        CONSTRAINT outbound_gateways_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE phone_numbers (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        title VARCHAR(36) NOT NULL,
        number VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        country_code CHAR(2) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        dial_code VARCHAR(4) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        status VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        type VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        capabilities JSON NOT NULL,
        provider VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        enable_outbound TINYINT(1) NOT NULL,
        inbound_acl_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        outbound_gateway_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
        call_flow_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
        shared_teams_id JSON NOT NULL,
        record_outbound TINYINT(1) NOT NULL,
        fee_per_month DECIMAL(14,6) NOT NULL,
        fee_per_mins_call DECIMAL(14,6) NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY phone_numbers_number (workspace_id, number),
        KEY phone_numbers_by_created_at (workspace_id, created_at, id),
        KEY phone_numbers_by_title (workspace_id, title, id),
        CONSTRAINT phone_numbers_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
        CONSTRAINT phone_numbers_acl FOREIGN KEY (inbound_acl_id) REFERENCES inbound_acls (id),
        CONSTRAINT phone_numbers_gateway FOREIGN KEY (outbound_gateway_id) REFERENCES outbound_gateways (id)
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE phone_numbers, outbound_gateways, inbound_acls')
  }
}
