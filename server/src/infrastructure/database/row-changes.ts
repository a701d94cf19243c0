/** Tells those who keep values of rows in memory that some have changed, once that is committed. */
import type { DataSource, EntityManager } from 'typeorm'
import { afterCommit } from './database.js'

/** @param workspaceId null: rows that no workspace has */
type ChangeListener = (table: string, workspaceId: string | null) => void

const listeners = new WeakMap<DataSource, ChangeListener[]>()

/** Has a listener know of all changes that are made over a connection of this process. */
export function onRowsChanged({ source }: { source: DataSource }, listener: ChangeListener): void {
  listeners.set(source, [...(listeners.get(source) ?? []), listener])
}

/** To be called by everything that changes rows of a table that is kept, unless a `WorkspaceTable` writes them. */
export function rowsChanged(tx: EntityManager, table: string, workspaceId: string | null): void {
  const all = listeners.get(tx.dataSource)
  if (all) afterCommit(tx, () => all.forEach((listener) => listener(table, workspaceId)))
}
