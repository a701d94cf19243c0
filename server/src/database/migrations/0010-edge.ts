import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * What Kamailio reads of the database, under the names that it knows: `subscriber` (who may register) is a view of
 * `sip_accounts`, so that an account works from the moment it is written; `location` (who is registered) is the only table
 * that Kamailio writes; `version` says that the columns of `location` are the expected ones.
 *
 * A view, since a copy would have to be kept in sync. In the server's own schema, since rights are granted table by table
 * all the same, and one schema is created, backed up and moved at once.
 */
export class Edge1790000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW subscriber AS
        SELECT username, domain, id AS account_id, workspace_id, ha1, ha1b, ha1_sha256, ha1b_sha256
        FROM sip_accounts`)
    await runner.query(`
      CREATE TABLE version (
        table_name VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        table_version INT UNSIGNED NOT NULL
      )`)
    await runner.query(`INSERT INTO version VALUES ('location', 9)`)
    // Kamailio's own table, with room for our domains and with times in seconds since 1970.
    await runner.query(`
      CREATE TABLE location (
        id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
        ruid VARCHAR(64) NOT NULL DEFAULT '',
        username VARCHAR(64) NOT NULL DEFAULT '',
        domain VARCHAR(190) NULL,
        contact VARCHAR(512) NOT NULL DEFAULT '',
        received VARCHAR(128) NULL,
        path VARCHAR(512) NULL,
        expires BIGINT NOT NULL DEFAULT 0,
        q FLOAT(10, 2) NOT NULL DEFAULT 1.0,
        callid VARCHAR(255) NOT NULL DEFAULT '',
        cseq INT NOT NULL DEFAULT 1,
        last_modified BIGINT NOT NULL DEFAULT 0,
        flags INT NOT NULL DEFAULT 0,
        cflags INT NOT NULL DEFAULT 0,
        user_agent VARCHAR(255) NOT NULL DEFAULT '',
        socket VARCHAR(64) NULL,
        methods INT NULL,
        instance VARCHAR(255) NULL,
        reg_id INT NOT NULL DEFAULT 0,
        server_id INT NOT NULL DEFAULT 0,
        connection_id INT NOT NULL DEFAULT 0,
        keepalive INT NOT NULL DEFAULT 0,
        \`partition\` INT NOT NULL DEFAULT 0,
        UNIQUE KEY location_ruid (ruid),
        KEY location_by_address (username, domain),
        KEY location_by_expires (expires)
      ) CHARACTER SET ascii COLLATE ascii_general_ci`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW subscriber')
    await runner.query('DROP TABLE location, version')
  }
}
