/** Cells that name another object of the workspace: by its id, or by the name that people know it by. */
import type { Database } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'
import type { FieldProblem } from '../http/errors.js'
import type { ImportLine } from './import-file.js'

export interface Reference {
  table: string
  /** The column that names it. */
  by: string
  /** `an agent`: in errors. */
  noun: string
  /** It is named by a telephone number, which is kept in digits. */
  isNumber?: boolean
  /** Semicolons separate several. */
  areMany?: boolean
}

/** By the column of the file. */
export type References = Readonly<Record<string, Reference>>

interface Resolved {
  values: Record<string, string>
  unknown: FieldProblem[]
}

/** Looks all of a file's names up by one query for each column. @returns what puts ids in the place of names */
export async function resolveReferences(
  database: Database,
  workspace: Owner,
  references: References,
  lines: readonly ImportLine[],
): Promise<(cells: Readonly<Record<string, string>>) => Resolved> {
  const known = new Map<string, ReadonlyMap<string, string>>()
  for (const [column, reference] of Object.entries(references)) {
    const names = new Set(lines.flatMap(({ cells }) => namesOf(reference, cells[column])))
    if (names.size > 0) known.set(column, await idsOf(database, workspace, reference, [...names]))
  }
  return (cells) => {
    const values = { ...cells }
    const unknown: FieldProblem[] = []
    for (const [column, ids] of known) {
      const reference = references[column]
      const names = namesOf(reference, cells[column])
      if (names.length === 0) continue
      const found = names.flatMap((name) => ids.get(nameIn(reference, name)) ?? [])
      if (found.length === names.length) values[column] = found.join(';')
      else
        unknown.push({
          field: column,
          messages: [`${column} is not ${reference?.noun ?? 'an object'} of this workspace`],
        })
    }
    return { values, unknown }
  }
}

function namesOf(reference: Reference | undefined, cell: string | undefined): string[] {
  if (cell === undefined) return []
  return reference?.areMany
    ? cell
        .split(';')
        .map((name) => name.trim())
        .filter(Boolean)
    : [cell]
}

/** As it is kept, and without case. */
function nameIn(reference: Reference | undefined, name: string): string {
  const isWritten = reference?.isNumber && !name.includes('_')
  return isWritten ? name.replaceAll(/\D/g, '') : name.toLowerCase()
}

async function idsOf(
  { source }: Database,
  workspace: Owner,
  reference: Reference,
  names: readonly string[],
): Promise<Map<string, string>> {
  const { table, by } = reference
  const ids = names.filter((name) => /^[a-z]+_[0-9A-Za-z]+$/.test(name))
  const rows = await source.query<{ id: string; name: string }[]>(
    `SELECT id, ${by} AS name FROM ${table} WHERE workspace_id = ? AND (id IN (?) OR ${by} IN (?)) ORDER BY id DESC`,
    [workspace.id, ids.length > 0 ? ids : [''], names.map((name) => nameIn(reference, name))],
  )
  // Of several of one name it is the oldest.
  return new Map(
    rows.flatMap(({ id, name }) => [
      [name.toLowerCase(), id],
      [id.toLowerCase(), id],
    ]),
  )
}
