import { asciiText, fixed, id, word } from './columns.js'

/** SMS carriers and messages. Messages and what is on its way have no foreign keys: thousands are written a second, and none
 * may wait for a row that they all name. */
export const messages: readonly string[] = [
  `
    CREATE TABLE carriers (
      id ${id} NOT NULL PRIMARY KEY,
      title VARCHAR(64) NOT NULL,
      kind ${word(16)} NOT NULL,
      settings JSON NOT NULL,
      secrets ${asciiText} NOT NULL,
      is_active BOOLEAN NOT NULL DEFAULT TRUE,
      window_size INT UNSIGNED NOT NULL,
      throughput INT UNSIGNED NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      KEY carriers_by_created_at (created_at, id)
    )`,
  `
    CREATE TABLE carrier_leases (
      carrier_id ${id} NOT NULL PRIMARY KEY,
      server_id ${id} NOT NULL,
      leased_until DATETIME(3) NOT NULL,
      health JSON NOT NULL,
      CONSTRAINT carrier_leases_carrier FOREIGN KEY (carrier_id) REFERENCES carriers (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE number_carriers (
      phone_number_id ${id} NOT NULL,
      carrier_id ${id} NOT NULL,
      workspace_id ${id} NOT NULL,
      position TINYINT UNSIGNED NOT NULL,
      PRIMARY KEY (phone_number_id, carrier_id),
      UNIQUE KEY number_carriers_order (phone_number_id, position),
      KEY number_carriers_carrier (carrier_id),
      CONSTRAINT number_carriers_carrier FOREIGN KEY (carrier_id) REFERENCES carriers (id),
      CONSTRAINT number_carriers_number
        FOREIGN KEY (phone_number_id) REFERENCES phone_numbers (id) ON DELETE CASCADE
    )`,
  // `pending_media_urls`: files of an accepted message until they are fetched.
  `
    CREATE TABLE messages (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      conversation_id ${id} NOT NULL,
      position INT UNSIGNED NOT NULL DEFAULT 0,
      phone_number_id ${id} NOT NULL,
      system_number ${word(20)} NOT NULL,
      client_number ${word(20)} NOT NULL,
      direction ${word(8)} NOT NULL,
      status ${word(16)} NOT NULL,
      sender_type ${word(16)} NOT NULL,
      sender_id ${id} NULL,
      body MEDIUMTEXT NOT NULL,
      encoding ${word(8)} NOT NULL,
      segments TINYINT UNSIGNED NOT NULL,
      attachments TINYINT UNSIGNED NOT NULL DEFAULT 0,
      price DECIMAL(14,6) NOT NULL DEFAULT 0.000000,
      cost DECIMAL(14,6) NULL,
      error_code VARCHAR(40) NULL,
      error_message VARCHAR(255) NULL,
      carrier_id ${id} NULL,
      carrier_message_id ${word(128)} NULL,
      sent_at DATETIME(3) NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      rate_deck_id ${id} NULL,
      rate_prefix ${word(20)} NULL,
      pending_media_urls JSON NULL,
      originator ${word(11)} NULL,
      KEY messages_by_created_at (workspace_id, created_at, id),
      KEY messages_by_updated_at (workspace_id, updated_at, id),
      KEY messages_by_status (workspace_id, status, created_at, id),
      KEY messages_by_number (workspace_id, phone_number_id, created_at, id),
      KEY messages_by_conversation (conversation_id, created_at, position),
      KEY messages_by_position (conversation_id, position)
    )`,
  `
    CREATE TABLE message_attachments (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      message_id ${id} NOT NULL,
      position TINYINT UNSIGNED NOT NULL,
      content_type ${word(64)} NOT NULL,
      bytes INT UNSIGNED NOT NULL,
      source_url VARCHAR(2048) NOT NULL,
      storage ${word(8)} NOT NULL,
      storage_key ${word(128)} NOT NULL,
      token ${word(64)} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      UNIQUE KEY message_attachments_order (message_id, position),
      KEY message_attachments_by_workspace (workspace_id)
    )`,
  // Files that are uploaded to be sent, until a message takes them.
  `
    CREATE TABLE message_uploads (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      uploader_id ${id} NOT NULL,
      content_type ${word(64)} NOT NULL,
      bytes INT UNSIGNED NOT NULL,
      storage ${word(8)} NOT NULL,
      storage_key ${word(128)} NOT NULL,
      token ${word(64)} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      KEY message_uploads_by_workspace (workspace_id),
      KEY message_uploads_by_uploader (uploader_id),
      KEY message_uploads_by_age (created_at)
    )`,
  `
    CREATE TABLE message_queue (
      message_id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      carrier_id ${id} NULL,
      state ${word(16)} NOT NULL,
      due_at DATETIME(3) NOT NULL,
      attempts INT UNSIGNED NOT NULL DEFAULT 0,
      give_up_at DATETIME(3) NOT NULL,
      KEY message_queue_due (carrier_id, state, due_at, message_id),
      KEY message_queue_by_workspace (workspace_id)
    )`,
  `
    CREATE TABLE message_segments (
      message_id ${id} NOT NULL,
      segment TINYINT UNSIGNED NOT NULL,
      workspace_id ${id} NOT NULL,
      carrier_id ${id} NOT NULL,
      carrier_message_id ${word(128)} NULL,
      client_number ${word(20)} NOT NULL,
      state ${word(16)} NOT NULL,
      accepted_at DATETIME(3) NOT NULL,
      PRIMARY KEY (message_id, segment),
      KEY message_segments_by_carrier (carrier_id, carrier_message_id),
      KEY message_segments_by_age (accepted_at),
      KEY message_segments_by_workspace (workspace_id)
    )`,
  `
    CREATE TABLE unmatched_receipts (
      id ${id} NOT NULL PRIMARY KEY,
      carrier_id ${id} NOT NULL,
      carrier_message_id ${word(128)} NOT NULL,
      receipt JSON NOT NULL,
      created_at DATETIME(3) NOT NULL,
      KEY unmatched_receipts_by_carrier (carrier_id, carrier_message_id),
      KEY unmatched_receipts_by_age (created_at)
    )`,
  // Octets as they came, with their alphabet; NULL is UTF-16BE. Parts that wait are found without reading joined ones.
  `
    CREATE TABLE inbound_segments (
      id ${id} NOT NULL PRIMARY KEY,
      carrier_id ${id} NOT NULL,
      bind_id ${id} NOT NULL,
      from_number ${word(32)} NOT NULL,
      to_number ${word(32)} NOT NULL,
      carrier_message_id ${word(128)} NULL,
      fingerprint ${fixed(64)} NOT NULL,
      reference INT UNSIGNED NULL,
      segment TINYINT UNSIGNED NULL,
      total TINYINT UNSIGNED NULL,
      coding ${word(32)} NULL,
      body MEDIUMBLOB NULL,
      received_at DATETIME(3) NOT NULL,
      UNIQUE KEY inbound_segments_carrier_id (carrier_id, carrier_message_id),
      KEY inbound_segments_by_fingerprint (carrier_id, fingerprint, received_at),
      KEY inbound_segments_parts (carrier_id, from_number, to_number, reference),
      KEY inbound_segments_by_age (received_at),
      KEY inbound_segments_waiting (reference, received_at)
    )`,
  // A workspace's own words to opt out, in again and ask for help, and its answers.
  `
    CREATE TABLE message_settings (
      workspace_id ${word(64)} NOT NULL PRIMARY KEY,
      stop_words JSON NOT NULL,
      start_words JSON NOT NULL,
      help_words JSON NOT NULL,
      stop_reply VARCHAR(1600) NULL,
      start_reply VARCHAR(1600) NULL,
      help_reply VARCHAR(1600) NULL,
      updated_at DATETIME(3) NOT NULL,
      replace_look_alikes BOOLEAN NOT NULL DEFAULT FALSE,
      CONSTRAINT message_settings_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id)
    )`,
  // Opt-outs go with their number.
  `
    CREATE TABLE opt_outs (
      phone_number_id ${id} NOT NULL,
      client_number ${word(20)} NOT NULL,
      workspace_id ${id} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (phone_number_id, client_number),
      KEY opt_outs_by_workspace (workspace_id, created_at),
      CONSTRAINT opt_outs_number FOREIGN KEY (phone_number_id) REFERENCES phone_numbers (id) ON DELETE CASCADE
    )`,
]
