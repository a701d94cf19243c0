import { exact, fixed, id, word } from './columns.js'

/** The platform: cells, jobs, leases, and states that the operator has set. */
export const platform: readonly string[] = [
  // Each cell with its switch. `heard_at` is when the server last knew by its own clock that the switch lives: calls
  // ended then where either dies.
  `
    CREATE TABLE cells (
      name ${word(32)} NOT NULL PRIMARY KEY,
      switch_address ${word(64)} NOT NULL,
      server_id ${word(64)} NOT NULL,
      beat_at DATETIME(3) NOT NULL,
      heard_at DATETIME(3) NULL,
      is_draining BOOLEAN NOT NULL DEFAULT FALSE,
      is_up BOOLEAN NOT NULL DEFAULT FALSE,
      undertaken_at DATETIME(3) NULL
    )`,
  // Accepted work that is done after its transaction. By workspace, so that workspaces take turns.
  `
    CREATE TABLE outbox (
      id ${id} NOT NULL PRIMARY KEY,
      kind ${word(40)} NOT NULL,
      payload JSON NOT NULL,
      due_at DATETIME(3) NOT NULL,
      attempts INT NOT NULL DEFAULT 0,
      created_at DATETIME(3) NOT NULL,
      cell ${word(32)} NOT NULL DEFAULT 'one',
      workspace_id ${id} NOT NULL DEFAULT '',
      KEY outbox_due (kind, due_at),
      KEY outbox_of_cells (kind, cell, due_at),
      KEY outbox_of_workspaces (kind, workspace_id, due_at)
    )`,
  // Keys of requests that must not be done twice.
  `
    CREATE TABLE idempotency_keys (
      workspace_id ${id} NOT NULL,
      idempotency_key ${exact(255)} NOT NULL,
      fingerprint ${fixed(64)} NOT NULL,
      answer JSON NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (workspace_id, idempotency_key),
      KEY idempotency_keys_by_age (created_at),
      CONSTRAINT idempotency_keys_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // What the operator has set at run time and all servers obey: log levels, a drain.
  `
    CREATE TABLE platform_states (
      name ${word(40)} NOT NULL PRIMARY KEY,
      value ${word(40)} NOT NULL,
      since DATETIME(3) NOT NULL,
      until DATETIME(3) NULL
    )`,
  `
    CREATE TABLE sweep_leases (
      name ${word(40)} NOT NULL PRIMARY KEY,
      server_id ${word(64)} NOT NULL,
      leased_until DATETIME(3) NOT NULL
    )`,
]
