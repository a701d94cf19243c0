import type { MigrationInterface, QueryRunner } from 'typeorm'

const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'
const word = 'VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin'
const digits = 'VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin'
const carrierMessageId = 'VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin'

/**
 * SMS carriers, messages, and the conversations that they make. Messages, and what is on its way of them, have no
 * foreign keys: thousands are written a second, and none may wait for a row that they all name.
 */
export class Messages1790000000026 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await carriers(runner)
    await runner.query(`
      ALTER TABLE phone_numbers
        ADD fee_per_segment DECIMAL(14,6) NOT NULL DEFAULT 0.01 AFTER fee_per_mins_call,
        ADD fee_per_mms DECIMAL(14,6) NOT NULL DEFAULT 0.03 AFTER fee_per_segment`)
    await conversations(runner)
    await messages(runner)
    await onTheirWay(runner)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE unmatched_receipts, inbound_segments, message_segments, message_queue')
    await runner.query('DROP TABLE message_attachments, messages')
    await runner.query('DROP TABLE opt_outs, canned_replies, conversation_notes, conversations')
    await runner.query('ALTER TABLE phone_numbers DROP COLUMN fee_per_segment, DROP COLUMN fee_per_mms')
    await runner.query('DROP TABLE number_carriers, carrier_leases, carriers')
  }
}

async function carriers(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE carriers (
      id ${id} PRIMARY KEY,
      title VARCHAR(64) NOT NULL,
      kind ${word} NOT NULL,
      settings JSON NOT NULL,
      secrets TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      is_active TINYINT(1) NOT NULL DEFAULT 1,
      window_size INT UNSIGNED NOT NULL,
      throughput INT UNSIGNED NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      KEY carriers_by_created_at (created_at, id)
    )`)
  await runner.query(`
    CREATE TABLE carrier_leases (
      carrier_id ${id} PRIMARY KEY,
      server_id ${id} NOT NULL,
      leased_until DATETIME(3) NOT NULL,
      health JSON NOT NULL,
      CONSTRAINT carrier_leases_carrier FOREIGN KEY (carrier_id) REFERENCES carriers (id) ON DELETE CASCADE
    )`)
  await runner.query(`
    CREATE TABLE number_carriers (
      phone_number_id ${id} NOT NULL,
      carrier_id ${id} NOT NULL,
      workspace_id ${id} NOT NULL,
      position TINYINT UNSIGNED NOT NULL,
      PRIMARY KEY (phone_number_id, carrier_id),
      UNIQUE KEY number_carriers_order (phone_number_id, position),
      CONSTRAINT number_carriers_number FOREIGN KEY (phone_number_id) REFERENCES phone_numbers (id) ON DELETE CASCADE,
      CONSTRAINT number_carriers_carrier FOREIGN KEY (carrier_id) REFERENCES carriers (id)
    )`)
}

async function conversations(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE conversations (
      id ${id} PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      phone_number_id ${id} NOT NULL,
      system_number ${digits} NOT NULL,
      client_number ${digits} NOT NULL,
      assigned_agent_id ${id} NULL,
      assigned_team_id ${id} NULL,
      status ${word} NOT NULL,
      unread_count INT UNSIGNED NOT NULL DEFAULT 0,
      last_message_id ${id} NULL,
      last_message_at DATETIME(3) NULL,
      last_read_at DATETIME(3) NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      UNIQUE KEY conversations_pair (workspace_id, phone_number_id, client_number),
      KEY conversations_by_activity (workspace_id, last_message_at, id),
      KEY conversations_by_status (workspace_id, status, last_message_at, id),
      KEY conversations_by_agent (workspace_id, assigned_agent_id, last_message_at, id)
    )`)
  await runner.query(`
    CREATE TABLE conversation_notes (
      id ${id} PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      conversation_id ${id} NOT NULL,
      agent_id ${id} NOT NULL,
      body VARCHAR(2000) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      KEY conversation_notes_by_conversation (conversation_id, created_at, id),
      KEY conversation_notes_by_workspace (workspace_id)
    )`)
  await runner.query(`
    CREATE TABLE canned_replies (
      id ${id} PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      title VARCHAR(64) NOT NULL,
      body VARCHAR(1600) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      KEY canned_replies_by_title (workspace_id, title, id),
      CONSTRAINT canned_replies_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`)
  await runner.query(`
    CREATE TABLE opt_outs (
      phone_number_id ${id} NOT NULL,
      client_number ${digits} NOT NULL,
      workspace_id ${id} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (phone_number_id, client_number),
      KEY opt_outs_by_workspace (workspace_id, created_at)
    )`)
}

async function messages(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE messages (
      id ${id} PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      conversation_id ${id} NOT NULL,
      phone_number_id ${id} NOT NULL,
      system_number ${digits} NOT NULL,
      client_number ${digits} NOT NULL,
      direction VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      status ${word} NOT NULL,
      sender_type ${word} NOT NULL,
      sender_id ${id} NULL,
      body MEDIUMTEXT NOT NULL,
      encoding VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      segments TINYINT UNSIGNED NOT NULL,
      attachments TINYINT UNSIGNED NOT NULL DEFAULT 0,
      price DECIMAL(14,6) NOT NULL DEFAULT 0,
      cost DECIMAL(14,6) NULL,
      error_code VARCHAR(40) NULL,
      error_message VARCHAR(255) NULL,
      carrier_id ${id} NULL,
      carrier_message_id ${carrierMessageId} NULL,
      sent_at DATETIME(3) NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      KEY messages_by_created_at (workspace_id, created_at, id),
      KEY messages_by_updated_at (workspace_id, updated_at, id),
      KEY messages_by_status (workspace_id, status, created_at, id),
      KEY messages_by_number (workspace_id, phone_number_id, created_at, id),
      KEY messages_by_conversation (conversation_id, created_at, id)
    )`)
  await runner.query(`
    CREATE TABLE message_attachments (
      id ${id} PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      message_id ${id} NOT NULL,
      position TINYINT UNSIGNED NOT NULL,
      content_type VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      bytes INT UNSIGNED NOT NULL,
      source_url VARCHAR(2048) NOT NULL,
      storage VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      storage_key VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      token VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      created_at DATETIME(3) NOT NULL,
      UNIQUE KEY message_attachments_order (message_id, position),
      KEY message_attachments_by_workspace (workspace_id)
    )`)
}

/** Texts that no carrier has taken yet, and those that still wait for a receipt. */
async function onTheirWay(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE message_queue (
      message_id ${id} PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      carrier_id ${id} NULL,
      state ${word} NOT NULL,
      due_at DATETIME(3) NOT NULL,
      attempts INT UNSIGNED NOT NULL DEFAULT 0,
      give_up_at DATETIME(3) NOT NULL,
      KEY message_queue_due (carrier_id, state, due_at, message_id),
      KEY message_queue_by_workspace (workspace_id)
    )`)
  await runner.query(`
    CREATE TABLE message_segments (
      message_id ${id} NOT NULL,
      segment TINYINT UNSIGNED NOT NULL,
      workspace_id ${id} NOT NULL,
      carrier_id ${id} NOT NULL,
      carrier_message_id ${carrierMessageId} NULL,
      client_number ${digits} NOT NULL,
      state ${word} NOT NULL,
      accepted_at DATETIME(3) NOT NULL,
      PRIMARY KEY (message_id, segment),
      KEY message_segments_by_carrier (carrier_id, carrier_message_id),
      KEY message_segments_by_age (accepted_at),
      KEY message_segments_by_workspace (workspace_id)
    )`)
  await runner.query(`
    CREATE TABLE unmatched_receipts (
      id ${id} PRIMARY KEY,
      carrier_id ${id} NOT NULL,
      carrier_message_id ${carrierMessageId} NOT NULL,
      receipt JSON NOT NULL,
      created_at DATETIME(3) NOT NULL,
      KEY unmatched_receipts_by_carrier (carrier_id, carrier_message_id),
      KEY unmatched_receipts_by_age (created_at)
    )`)
  await runner.query(`
    CREATE TABLE inbound_segments (
      id ${id} PRIMARY KEY,
      carrier_id ${id} NOT NULL,
      bind_id ${id} NOT NULL,
      from_number VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      to_number VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      carrier_message_id ${carrierMessageId} NULL,
      fingerprint CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      reference INT UNSIGNED NULL,
      segment TINYINT UNSIGNED NULL,
      total TINYINT UNSIGNED NULL,
      body MEDIUMBLOB NULL,
      received_at DATETIME(3) NOT NULL,
      UNIQUE KEY inbound_segments_carrier_id (carrier_id, carrier_message_id),
      KEY inbound_segments_by_fingerprint (carrier_id, fingerprint, received_at),
      KEY inbound_segments_parts (carrier_id, from_number, to_number, reference),
      KEY inbound_segments_by_age (received_at)
    )`)
}
