import type { MigrationInterface, QueryRunner } from 'typeorm'

const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'
const word = (length: number) => `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin`
const hex = (length: number) => `CHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin NULL`

/**
 * Agents register softphones as SIP accounts register phones. `sip_usernames` holds who registers under which name: one
 * namespace a workspace, whatever the two tables do in the same moment. Of an agent and a SIP account that have one name
 * already, the SIP account keeps it.
 *
 * Hashes of agents are null until their passwords are set again: argon2 hashes cannot be turned into them.
 */
export class SoftphonesOfAgents1790000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE agents
        ADD COLUMN domain ${word(190)} NULL,
        ADD COLUMN ha1 ${hex(32)},
        ADD COLUMN ha1b ${hex(32)},
        ADD COLUMN ha1_sha256 ${hex(64)},
        ADD COLUMN ha1b_sha256 ${hex(64)}`)
    await runner.query(`
      CREATE TABLE sip_usernames (
        workspace_id ${id} NOT NULL,
        username ${word(30)} NOT NULL,
        domain ${word(190)} NULL,
        sip_account_id ${id} NULL,
        agent_id ${id} NULL,
        PRIMARY KEY (workspace_id, username),
        UNIQUE KEY sip_usernames_address (username, domain),
        UNIQUE KEY sip_usernames_sip_account (workspace_id, sip_account_id),
        UNIQUE KEY sip_usernames_agent (workspace_id, agent_id),
        CONSTRAINT sip_usernames_sip_account FOREIGN KEY (workspace_id, sip_account_id) REFERENCES sip_accounts (workspace_id, id) ON DELETE CASCADE,
        CONSTRAINT sip_usernames_agent FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id) ON DELETE CASCADE
      )`)
    await runner.query(`
      INSERT INTO sip_usernames (workspace_id, username, domain, sip_account_id)
      SELECT workspace_id, username, domain, id FROM sip_accounts`)
    await runner.query(`
      INSERT INTO sip_usernames (workspace_id, username, agent_id)
      SELECT workspace_id, username, id FROM agents
      WHERE (workspace_id, username) NOT IN (SELECT workspace_id, username FROM sip_accounts)`)
    await runner.query('DROP VIEW subscriber')
    // All three are found by unique keys: for the database they are constants, and a look-up reads three rows at most.
    await runner.query(`
      CREATE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW subscriber AS
        SELECT name.username, name.domain, name.workspace_id,
          COALESCE(account.id, agent.id) AS account_id,
          COALESCE(account.ha1, agent.ha1) AS ha1,
          COALESCE(account.ha1b, agent.ha1b) AS ha1b,
          COALESCE(account.ha1_sha256, agent.ha1_sha256) AS ha1_sha256,
          COALESCE(account.ha1b_sha256, agent.ha1b_sha256) AS ha1b_sha256
        FROM sip_usernames name
        LEFT JOIN sip_accounts account ON account.id = name.sip_account_id
        LEFT JOIN agents agent ON agent.id = name.agent_id
        WHERE account.id IS NOT NULL OR (agent.is_active = 1 AND agent.ha1 IS NOT NULL)`)
    // For the presence of a workspace's agents; a phone that registers again changes neither column.
    await runner.query('ALTER TABLE location ADD KEY location_by_domain (domain, username)')
    await runner.query(`ALTER TABLE calls ADD COLUMN agent_id ${id} NULL`)
    await runner.query(`ALTER TABLE call_legs ADD COLUMN agent_id ${id} NULL`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE call_legs DROP COLUMN agent_id')
    await runner.query('ALTER TABLE calls DROP COLUMN agent_id')
    await runner.query('ALTER TABLE location DROP KEY location_by_domain')
    await runner.query('DROP VIEW subscriber')
    await runner.query(`
      CREATE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW subscriber AS
        SELECT username, domain, id AS account_id, workspace_id, ha1, ha1b, ha1_sha256, ha1b_sha256
        FROM sip_accounts`)
    await runner.query('DROP TABLE sip_usernames')
    await runner.query(`
      ALTER TABLE agents DROP COLUMN domain, DROP COLUMN ha1, DROP COLUMN ha1b,
        DROP COLUMN ha1_sha256, DROP COLUMN ha1b_sha256`)
  }
}
