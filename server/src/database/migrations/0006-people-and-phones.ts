import type { MigrationInterface, QueryRunner } from 'typeorm'

const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'

/**
 * Agents, teams, SIP accounts, extensions, the heads of voice agents and call flows, and the audit log.
 * Keys between them hold the workspace too: a row can name no other workspace's row, whatever the code does.
 * Indexes of long lists end with what is searched, so that a search reads nothing else.
 */
export class PeopleAndPhones1790000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_log (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NULL,
        actor_kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        actor_id ${id} NULL,
        action VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        target_type VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        target_id ${id} NOT NULL,
        target_name VARCHAR(254) NULL,
        changes JSON NOT NULL,
        ip VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NULL,
        request_id ${id} NULL,
        created_at DATETIME(3) NOT NULL,
        KEY audit_log_by_created_at (workspace_id, created_at, id),
        KEY audit_log_by_target (workspace_id, target_id, created_at),
        KEY audit_log_by_age (created_at),
        CONSTRAINT audit_log_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE agents (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        username VARCHAR(30) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        display_name VARCHAR(50) NOT NULL,
        email VARCHAR(254) NULL,
        email_key VARCHAR(254) COLLATE utf8mb4_bin AS (LOWER(email)) STORED,
        avatar VARCHAR(2048) NULL,
        avatar_file ${id} NULL,
        role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        is_active TINYINT(1) NOT NULL,
        country_code CHAR(2) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        password_hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY agents_id (workspace_id, id),
        UNIQUE KEY agents_username (workspace_id, username),
        UNIQUE KEY agents_email (workspace_id, email_key),
        UNIQUE KEY agents_avatar_file (avatar_file),
        KEY agents_by_created_at (workspace_id, created_at, id, display_name, email, username, country_code),
        KEY agents_by_display_name (workspace_id, display_name, id, email, username),
        KEY agents_by_email (workspace_id, email, id, display_name, username),
        KEY agents_by_is_active (workspace_id, is_active, id),
        CONSTRAINT agents_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE teams (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        title VARCHAR(36) COLLATE utf8mb4_unicode_520_ci NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY teams_id (workspace_id, id),
        UNIQUE KEY teams_title (workspace_id, title),
        KEY teams_by_created_at (workspace_id, created_at, id),
        CONSTRAINT teams_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE team_members (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        team_id ${id} NOT NULL,
        agent_id ${id} NOT NULL,
        created_at DATETIME(3) NOT NULL,
        UNIQUE KEY team_members_pair (team_id, agent_id),
        KEY team_members_by_agent (agent_id, created_at, id),
        CONSTRAINT team_members_team FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id) ON DELETE CASCADE,
        CONSTRAINT team_members_agent FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE sip_accounts (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        title VARCHAR(36) NOT NULL,
        username VARCHAR(30) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        domain VARCHAR(190) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        ha1 CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        ha1b CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        ha1_sha256 CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        ha1b_sha256 CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        outbound_caller_id VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY sip_accounts_id (workspace_id, id),
        UNIQUE KEY sip_accounts_username (workspace_id, username),
        UNIQUE KEY sip_accounts_address (username, domain),
        KEY sip_accounts_by_created_at (workspace_id, created_at, id),
        KEY sip_accounts_by_title (workspace_id, title, id),
        CONSTRAINT sip_accounts_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
        CONSTRAINT sip_accounts_caller_id FOREIGN KEY (workspace_id, outbound_caller_id) REFERENCES phone_numbers (workspace_id, number)
      )`)
    await runner.query(`
      CREATE TABLE voice_agents (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        name VARCHAR(30) NOT NULL,
        published_version INT UNSIGNED NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY voice_agents_id (workspace_id, id),
        KEY voice_agents_by_created_at (workspace_id, created_at, id),
        KEY voice_agents_by_name (workspace_id, name, id),
        CONSTRAINT voice_agents_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE call_flows (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        title VARCHAR(36) NOT NULL,
        trigger_type VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        nodes JSON NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY call_flows_id (workspace_id, id),
        KEY call_flows_by_created_at (workspace_id, created_at, id),
        KEY call_flows_by_title (workspace_id, title, id),
        CONSTRAINT call_flows_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE extensions (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        extension_number VARCHAR(6) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        title VARCHAR(36) NOT NULL,
        destination VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        agent_id ${id} NULL,
        team_id ${id} NULL,
        sip_account_id ${id} NULL,
        voice_agent_id ${id} NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY extensions_number (workspace_id, extension_number),
        KEY extensions_by_created_at (workspace_id, created_at, id),
        KEY extensions_by_title (workspace_id, title, id),
        CONSTRAINT extensions_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
        CONSTRAINT extensions_agent FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id),
        CONSTRAINT extensions_team FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id),
        CONSTRAINT extensions_sip_account FOREIGN KEY (workspace_id, sip_account_id) REFERENCES sip_accounts (workspace_id, id),
        CONSTRAINT extensions_voice_agent FOREIGN KEY (workspace_id, voice_agent_id) REFERENCES voice_agents (workspace_id, id)
      )`)
    await runner.query('ALTER TABLE phone_numbers ADD UNIQUE KEY phone_numbers_id (workspace_id, id)')
    await runner.query(`
      CREATE TABLE phone_number_teams (
        workspace_id ${id} NOT NULL,
        phone_number_id ${id} NOT NULL,
        team_id ${id} NOT NULL,
        position SMALLINT UNSIGNED NOT NULL,
        PRIMARY KEY (phone_number_id, team_id),
        CONSTRAINT phone_number_teams_number FOREIGN KEY (workspace_id, phone_number_id) REFERENCES phone_numbers (workspace_id, id) ON DELETE CASCADE,
        CONSTRAINT phone_number_teams_team FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id)
      )`)
    await runner.query(`
      ALTER TABLE phone_numbers
        ADD CONSTRAINT phone_numbers_call_flow FOREIGN KEY (workspace_id, call_flow_id) REFERENCES call_flows (workspace_id, id)`)
    // It has only been empty lists, as there were no teams.
    await runner.query('ALTER TABLE phone_numbers DROP COLUMN shared_teams_id')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE phone_numbers ADD COLUMN shared_teams_id JSON NOT NULL DEFAULT '[]'")
    await runner.query('ALTER TABLE phone_numbers DROP FOREIGN KEY phone_numbers_call_flow')
    await runner.query('DROP TABLE phone_number_teams, extensions, call_flows, voice_agents')
    await runner.query('DROP TABLE sip_accounts, team_members, teams, agents, audit_log')
    await runner.query('ALTER TABLE phone_numbers DROP KEY phone_numbers_id')
  }
}
