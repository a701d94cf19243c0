import { id, word } from './columns.js'

/** Call flows and their versions. */
export const callFlows: readonly string[] = [
  `
    CREATE TABLE call_flows (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      title VARCHAR(36) NOT NULL,
      trigger_type ${word(8)} NOT NULL,
      nodes JSON NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      dial_code ${word(6)} NULL,
      UNIQUE KEY call_flows_id (workspace_id, id),
      UNIQUE KEY call_flows_dial_code (workspace_id, dial_code),
      KEY call_flows_by_created_at (workspace_id, created_at, id),
      KEY call_flows_by_title (workspace_id, title, id),
      CONSTRAINT call_flows_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // Versions never change, so that a call is not disturbed by the editing of its flow; they outlive their flow while a call
  // runs them.
  `
    CREATE TABLE call_flow_versions (
      id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      call_flow_id ${id} NOT NULL,
      nodes JSON NOT NULL,
      created_at DATETIME(3) NOT NULL,
      version INT UNSIGNED NOT NULL DEFAULT 0,
      author_kind ${word(16)} NULL,
      author_id ${word(64)} NULL,
      UNIQUE KEY call_flow_versions_by_number (call_flow_id, version),
      KEY call_flow_versions_by_flow (call_flow_id, id),
      KEY call_flow_versions_workspace (workspace_id),
      CONSTRAINT call_flow_versions_workspace
        FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
]
