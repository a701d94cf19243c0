import { id, word } from './columns.js'

/** Audio files that calls play, and recordings. */
export const sounds: readonly string[] = [
  `
    CREATE TABLE audios (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      title VARCHAR(64) NOT NULL,
      source ${word(8)} NOT NULL,
      text TEXT NULL,
      duration DECIMAL(10,3) NOT NULL,
      size INT UNSIGNED NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      UNIQUE KEY audios_id (workspace_id, id),
      KEY audios_by_created_at (workspace_id, created_at, id),
      KEY audios_by_title (workspace_id, title, id),
      CONSTRAINT audios_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // No foreign keys: rows are removed together with what they own in the storage.
  `
    CREATE TABLE recordings (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      call_id ${id} NOT NULL,
      kind ${word(16)} NOT NULL,
      status ${word(16)} NOT NULL,
      format ${word(8)} NOT NULL,
      channels TINYINT UNSIGNED NOT NULL,
      channel_id ${id} NOT NULL,
      from_number VARCHAR(64) NOT NULL,
      to_number VARCHAR(80) NOT NULL,
      storage ${word(8)} NULL,
      storage_key ${word(160)} NULL,
      size_bytes INT UNSIGNED NULL,
      duration_ms INT UNSIGNED NULL,
      error VARCHAR(255) NULL,
      created_at DATETIME(3) NOT NULL,
      ended_at DATETIME(3) NULL,
      KEY recordings_by_created_at (workspace_id, created_at, id),
      KEY recordings_by_kind (workspace_id, kind, created_at, id),
      KEY recordings_by_call (workspace_id, call_id, created_at, id),
      KEY recordings_by_status (status, id)
    )`,
]
