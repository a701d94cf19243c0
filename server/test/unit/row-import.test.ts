/** Files of rows: how imported ones are read, what is refused, and how they are exported. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import Type from 'typebox'
import { exportOf } from '../../src/infrastructure/csv/csv-endpoints.js'
import { type ImportOptions, type RowImporter, importRows } from '../../src/infrastructure/csv/row-import.js'
import type { Database } from '../../src/infrastructure/database/database.js'
import { ValidationError, conflict } from '../../src/infrastructure/http/errors.js'

interface Person {
  name: string
  numbers: string[]
  is_active: boolean
}

const body = Type.Object({
  name: Type.String({ maxLength: 10 }),
  numbers: Type.Array(Type.String(), { minItems: 1 }),
  is_active: Type.Boolean({ default: true }),
})

/** Undoes nothing: what is thrown is what the caller sees. */
const database = { together: async (work: () => Promise<unknown>) => work() } as unknown as Database

/** The fields and messages of a refusal. */
const refusal = async (running: Promise<unknown>) =>
  running.then(
    () => 'no refusal',
    (error: unknown) =>
      (error instanceof ValidationError
        ? error.errors
        : [{ field: '', messages: [(error as Error).message] }]
      )
        .flatMap(({ field, messages }) => messages.map((message) => `${field}: ${message}`))
        .join('\n'),
  )

describe('import of rows', () => {
  let folder: string
  let written: { verb: string; row: object }[]
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jackfield-import-'))
  })
  after(async () => rm(folder, { recursive: true }))
  beforeEach(() => {
    written = []
  })

  const importer = (changes: Partial<RowImporter<Person>> = {}): RowImporter<Person> => ({
    columns: [
      { name: 'name', kind: 'text' },
      { name: 'numbers', kind: 'list', also: ['phone', 'mobile'] },
      { name: 'is_active', kind: 'boolean' },
    ],
    ...{ body, maxLines: 5, keyOf: ({ name }) => name, keyColumn: 'name' },
    existing: async () => Promise.resolve(new Map([['Old', 'con_old']])),
    room: async () => Promise.resolve(10),
    create: async (row) => {
      if (row.name === 'Taken') throw conflict('Taken is taken')
      written.push({ verb: 'create', row })
      return Promise.resolve()
    },
    update: async (id, row) => Promise.resolve(void written.push({ verb: `update ${id}`, row })),
    ...changes,
  })
  const run = async (
    text: string | Buffer,
    options: Partial<ImportOptions> = {},
    changes: Partial<RowImporter<Person>> = {},
  ) => {
    const path = join(folder, 'rows.csv')
    await writeFile(path, text)
    const all = { existing: 'skip', faulty: 'refuse', dry_run: false, mapping: {}, ...options } as const
    return importRows(database, { id: 'acme' }, path, importer(changes), all)
  }
  it('reads spreadsheets: semicolons, a mark of the encoding, headings by other names, parts of a list', async () => {
    const { columns, ...report } = await run(
      '\ufeffName;Phone;Mobile;Birthday\r\n"Ann; B";+1202;+1203;1 May\r\n\r\nBob;"\'+1204, +44";;\r\n',
    )
    expect(columns).to.deep.equal([
      { header: 'Name', column: 'name' },
      { header: 'Phone', column: 'numbers' },
      { header: 'Mobile', column: 'numbers' },
      { header: 'Birthday', column: null },
    ])
    expect(report).to.include({ lines: 2, created: 2, failed: 0 })
    expect(written.map(({ row }) => row)).to.deep.equal([
      { name: 'Ann; B', numbers: ['+1202', '+1203'], is_active: true },
      { name: 'Bob', numbers: ['+1204, +44'], is_active: true },
    ])
  })

  it('takes a file as a whole: each fault is named by line and field', async () => {
    const text = 'name,numbers,is_active\nAnn,+1202,yes\nMuch too long,+1203,no\nAnn,+1204,perhaps\nTaken,,\n'
    expect(await refusal(run(text))).to.equal(
      [
        'file.3.name: line 3: name must NOT have more than 10 characters',
        'file.4.is_active: line 4: is_active must be true or false',
        'file.5.numbers: line 5: numbers is required',
      ].join('\n'),
    )
    expect(written).to.deep.equal([])
    expect(await run(text, { dry_run: true })).to.include({ created: 1, failed: 3 })
    expect(written).to.deep.equal([])
    expect(await run(text, { faulty: 'skip' })).to.include({ created: 1, failed: 3 })
  })

  it('names a key that comes twice, and a row that the database refuses', async () => {
    expect(await refusal(run('name,numbers\nAnn,1\nAnn,2\n'))).to.equal(
      'file.3.name: line 3: name is the same as in line 2',
    )
    expect(await refusal(run('name,numbers\nTaken,1\nAnn,2\n'))).to.equal('file.2: line 2: Taken is taken')
    const { created, failed, problems } = await run('name,numbers\nTaken,1\nAnn,2\n', { faulty: 'skip' })
    expect({ created, failed, problems }).to.deep.equal({
      ...{ created: 1, failed: 1 },
      problems: [{ line: 2, field: '', message: 'Taken is taken' }],
    })
  })

  it('leaves rows that exist alone, or changes what the line says', async () => {
    const text = 'name,numbers\nOld,1\nNew,2\n'
    expect(await run(text)).to.include({ created: 1, updated: 0, skipped: 1 })
    written = []
    expect(await run(text, { existing: 'update' })).to.include({ created: 1, updated: 1, skipped: 0 })
    expect(written.at(-1)).to.deep.equal({ verb: 'update con_old', row: { name: 'Old', numbers: ['1'] } })
  })

  it('asks for what only new rows need, also in a dry run', async () => {
    const text = 'name,is_active\nOld,no\nNew,yes\n'
    const changes = {
      body: Type.Object({ ...body.properties, numbers: Type.Optional(body.properties.numbers) }),
    }
    const needing = { ...changes, forNew: ['numbers'] as const }
    for (const dry_run of [true, false])
      expect(await run(text, { dry_run, existing: 'update', faulty: 'skip' }, needing)).to.deep.include({
        ...{ created: 0, updated: 1, skipped: 0, failed: 1 },
        problems: [{ line: 3, field: 'numbers', message: 'numbers is required' }],
      })
    expect(await refusal(run(text, {}, needing))).to.equal('file.3.numbers: line 3: numbers is required')
  })

  it('takes the caller’s choice of columns', async () => {
    const mapping = { Who: 'name', name: '', Number: 'numbers' }
    await run('Who,name,Number\nAnn,x,1\n', { mapping })
    expect(written.map(({ row }) => row)).to.deep.equal([{ name: 'Ann', numbers: ['1'], is_active: true }])
    expect(await refusal(run('Who\nAnn\n', { mapping: { Who: 'names' } }))).to.match(
      /^mapping: .*Who: one of name, numbers, is_active$/,
    )
  })

  it('refuses what is no such file, and more than the workspace or the import may have', async () => {
    const cases: [string | Buffer, RegExp][] = [
      ['', /a heading and a line below it/],
      ['name,numbers\n', /a heading and a line below it/],
      ['name\nAnn\n', /has no column numbers/],
      ['name,numbers,Name\nAnn,1,Ben\n', /has the column name twice/],
      [Buffer.from('name,numbers\nJosé,1\n', 'latin1'), /text in UTF-8/],
      [`name,numbers\n${'Ann,1\n'.repeat(6)}`, /5 lines at most/],
    ]
    for (const [text, message] of cases) expect(await refusal(run(text))).to.match(message)
    const full = { room: async () => Promise.resolve(1) }
    expect(await refusal(run('name,numbers\nAnn,1\nBen,2\n', {}, full))).to.match(
      /may hold 1 more.*2 that are new/,
    )
    expect(written).to.deep.equal([])
  })
})

describe('export of rows', () => {
  const exported = {
    plural: 'contacts',
    cells: { name: ({ name }: { name: string }) => name },
    cursorOf: ({ name }: { name: string }) => ({ created_at: new Date(0), id: name.slice(1) }),
  }
  const rowsOf = (total: number) => {
    const asked: string[] = []
    const list = async ({ limit, after }: { limit: number; after?: { id: string } }) => {
      asked.push(after?.id ?? '')
      const first = after ? Number(after.id) + 1 : 0
      const length = Math.max(0, Math.min(limit, total - first))
      const rows = Array.from({ length }, (_, index) => ({ name: `=${first + index}` }))
      return Promise.resolve({ rows, total: after ? 0 : total })
    }
    return { list, asked }
  }

  it('reads on from the last row of each batch, to the last of all', async () => {
    for (const [total, cursors] of [
      [0, ['']],
      [1_000, ['', '999']],
      [2_500, ['', '999', '1999']],
    ] as const) {
      const { list, asked } = rowsOf(total)
      const lines = (await text(await exportOf(exported, list))).split('\r\n')
      expect(lines.slice(0, -1)).to.have.length(total + 1)
      expect(lines[1]).to.equal(total > 0 ? "'=0" : '')
      expect(asked).to.deep.equal(cursors)
    }
  })

  it('has so many rows at most', async () => {
    await exportOf(exported, rowsOf(250_000).list)
    const refused = await refusal(exportOf(exported, rowsOf(250_001).list))
    expect(refused).to.match(/^: These are 250001 contacts, and a file holds 250000 at most/)
  })
})
