/** The endpoints that import and export a resource's rows as CSV, alike for all resources. */
import Type, { type Static, type TSchema } from 'typebox'
import { Readable } from 'node:stream'
import type { Database } from '../database/database.js'
import { type CsvCell, csvLine } from '../http/csv.js'
import {
  type KeyRole,
  type ManagingActor,
  RawAnswer,
  type Tenant,
  apiKey,
  endpoint,
} from '../http/endpoint.js'
import { badRequest, invalidField } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import { maxImportBytes } from './import-file.js'
import { type RowImporter, importRows } from './row-import.js'

const ImportQuery = Type.Object({
  existing: Type.Enum(['skip', 'update'], {
    default: 'skip',
    description: 'Whether rows that exist already are left alone or changed',
  }),
  faulty: Type.Enum(['refuse', 'skip'], {
    default: 'refuse',
    description: 'Whether one faulty line refuses the whole file, or is left out',
  }),
  dry_run: Type.Boolean({ default: false, description: 'Checks every line, and writes nothing' }),
  mapping: Type.Optional(
    Type.String({
      maxLength: 8_000,
      description:
        'Columns by heading, as a JSON object: `{"Phone": "numbers", "Age": ""}`; empty leaves one out',
    }),
  ),
})

export const ImportShape = Type.Object(
  {
    is_dry_run: Type.Boolean(),
    fields: Type.Array(Type.String(), { description: 'Columns that a file may have' }),
    columns: Type.Array(
      Type.Object({
        header: Type.String(),
        column: Type.Union([Type.String(), Type.Null()], { description: 'Null: it is left out' }),
      }),
    ),
    lines: Type.Integer({ description: 'Below the heading' }),
    created: Type.Integer(),
    updated: Type.Integer(),
    skipped: Type.Integer({ description: 'Rows that exist and were left alone' }),
    failed: Type.Integer({ description: 'Lines that are faulty' }),
    preview: Type.Array(
      Type.Object({ line: Type.Integer(), values: Type.Record(Type.String(), Type.String()) }),
      { description: 'The first lines' },
    ),
    problems: Type.Array(
      Type.Object({ line: Type.Integer(), field: Type.String(), message: Type.String() }),
      { description: 'The first hundred' },
    ),
  },
  { title: 'Import' },
)

interface Described {
  /** `/contacts` */
  path: string
  tag: string
  /** `contacts` */
  plural: string
}

/** `POST /contacts/import`. @param importerOf for one request */
export function importEndpoint<Body extends object>(
  database: Database,
  { path, tag, plural }: Described,
  importerOf: (workspace: Tenant, actor: ManagingActor) => RowImporter<Body>,
  columns: string,
) {
  return endpoint({
    method: 'POST',
    path: `${path}/import`,
    summary: `Import ${plural} from a CSV file`,
    description: `A file in UTF-8 with a heading, sent as multipart/form-data; commas, semicolons or tabs separate cells, and semicolons the parts of a list. Columns: ${columns}. All lines are written, or none; with \`faulty=skip\` all that are right. A dry run answers what would be done, with the first lines and problems. Cells of ids may have names.`,
    tag,
    auth: apiKey('full'),
    tier: 'heavy',
    query: ImportQuery,
    upload: { field: 'file', maxBytes: maxImportBytes },
    response: { 200: ImportShape },
    errors: { 403: `The workspace may not hold so many ${plural}` },
    handler: async ({ workspace, actor, query, file }) => {
      if (!file) throw invalidField('file', 'file is required: a CSV file in a multipart form')
      const mapping = mappingOf(query.mapping)
      return importRows(database, workspace, file.path, importerOf(workspace, actor), { ...query, mapping })
    },
  })
}

/** @throws 400 */
function mappingOf(text: string | undefined): Record<string, string> {
  if (!text) return {}
  let mapping: unknown
  try {
    mapping = JSON.parse(text)
  } catch {
    mapping = null
  }
  const isObject = typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping)
  if (!isObject || Object.values(mapping as object).some((column) => typeof column !== 'string'))
    throw invalidField('mapping', 'mapping must be a JSON object of texts')
  return mapping as Record<string, string>
}

/** Rows that are read at a time. */
const batch = 1_000

/** The most rows of one file. */
const maxExportedRows = 250_000

type Cells<Row> = Readonly<Record<string, (row: Row) => CsvCell>>

/** Where the next batch begins. */
type Cursor = NonNullable<ListRequest['after']>

interface Exported<Query extends TSchema, Row> extends Described {
  /** `contact`: of the audit log's action. */
  audited: string
  /** Of the list, whose filters it takes. */
  query: Query
  cells: Cells<Row>
  list: (workspace: Tenant, query: Static<Query> & ListRequest, actor: ManagingActor) => Promise<Page<Row>>
  cursorOf: (row: Row) => Cursor
  /** Those who may read the list, where that is not every key. */
  roles?: readonly KeyRole[]
  /** Whether no file of it can be imported. */
  isRecord?: boolean
}

/** `GET /contacts/export.csv`: the rows that a list's filters find, oldest first. */
export function exportEndpoint<Query extends TSchema, Row>({
  path,
  tag,
  plural,
  audited,
  query,
  cells,
  list,
  cursorOf,
  roles,
  isRecord = false,
}: Exported<Query, Row>) {
  return endpoint({
    method: 'GET',
    path: `${path}/export.csv`,
    audited: `${audited}.export`,
    summary: `Download ${plural} as CSV`,
    description: `Those that the filters of the list find, oldest first, ${maxExportedRows} at most${isRecord ? '' : '; the file can be imported again'}. Cells that a spreadsheet would run as a formula start with an apostrophe.`,
    tag,
    auth: apiKey('any', roles),
    tier: 'heavy',
    query,
    response: { 200: Type.String({ format: 'binary', contentMediaType: 'text/csv' }) },
    handler: async ({ workspace, actor, query: asked }) =>
      new RawAnswer(
        'text/csv; charset=utf-8; header=present',
        await exportOf({ plural, cells, cursorOf }, async (request) =>
          list(workspace, { ...(asked as Static<Query>), ...request }, actor),
        ),
        {
          'Content-Disposition': `attachment; filename="${path.slice(1)}-${workspace.id}.csv"`,
          'Cache-Control': 'no-store',
        },
      ),
  })
}

/** The place of a row that has an id and the time of its creation. */
export function byCreation({ created_at, id }: { created_at: Date | string; id: string }): Cursor {
  return { created_at: new Date(created_at), id }
}

/** @param list some of the rows, from the first or from a cursor on @throws 400 for more rows than one file holds */
export async function exportOf<Row>(
  exported: Pick<Exported<TSchema, Row>, 'plural' | 'cells' | 'cursorOf'>,
  list: (request: ListRequest) => Promise<Page<Row>>,
): Promise<Readable> {
  // Oldest first: rows that are made meanwhile come behind.
  const request = { page: 1, limit: batch, sort_field: 'created_at', sort_order: 'asc' } as const
  const { rows, total } = await list(request)
  if (total > maxExportedRows)
    throw badRequest(
      `These are ${total} ${exported.plural}, and a file holds ${maxExportedRows} at most: ask for fewer by the list’s filters`,
    )
  const rowsAfter = async (after: Cursor) => (await list({ ...request, after })).rows
  return Readable.from(linesOf(exported, rows, rowsAfter), { objectMode: false })
}

async function* linesOf<Row>(
  { cells, cursorOf }: Pick<Exported<TSchema, Row>, 'cells' | 'cursorOf'>,
  first: Row[],
  rowsAfter: (cursor: Cursor) => Promise<Row[]>,
): AsyncGenerator<string> {
  yield csvLine(Object.keys(cells))
  for (let rows = first; ;) {
    const last = rows.at(-1)
    if (!last) return
    yield rows.map((row) => csvLine(Object.values(cells).map((cell) => cell(row)))).join('')
    if (rows.length < batch) return
    rows = await rowsAfter(cursorOf(last))
  }
}
