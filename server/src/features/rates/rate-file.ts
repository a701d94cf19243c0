/** Rate decks as CSV: read from what carriers and spreadsheets write, a line at a time, and written again. */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import { type CsvCell, csvLine } from '../../infrastructure/http/csv.js'
import { ValidationError, type FieldProblem, invalidField } from '../../infrastructure/http/errors.js'
import { type DeckRate, type RateKind, always, rateKinds } from './deck-rate.entity.js'

/** Rates of one deck; with them a deck takes some 60 MB of memory while it is read. */
export const maxRates = 200_000
export const maxFileBytes = 32 * 1024 * 1024

/** Lines that are named when a file will not do. */
const maxProblems = 50

const columns = [
  ...(['kind', 'prefix', 'destination', 'price', 'connection_fee'] as const),
  ...(['minimum_seconds', 'increment_seconds', 'is_blocked', 'valid_from'] as const),
]
type Column = (typeof columns)[number]
const required: readonly Column[] = ['prefix', 'price']

export type FileRate = Omit<DeckRate, 'rate_deck_id'>

/** Reads a whole file. @throws 400 naming the lines that will not do, as `file.<line>.<column>` */
export async function ratesOfFile(path: string): Promise<FileRate[]> {
  const rates: FileRate[] = []
  const problems: FieldProblem[] = []
  const lines = new Map<string, number>()
  const parser = pipeline(
    createReadStream(path),
    decoded,
    parse({ bom: true, columns: headingOf, info: true, skip_empty_lines: true, trim: true }),
    () => undefined, // what fails is thrown to who reads it
  )
  try {
    for await (const { record, info } of parser as AsyncIterable<Line>) {
      const line = new RateLine(record, info.lines)
      const rate = line.rate()
      const key = `${rate.kind} ${rate.prefix} ${rate.valid_from.getTime()}`
      const first = lines.get(key)
      if (first !== undefined) line.refuse('prefix', `is the same rate as line ${first} has`)
      lines.set(key, info.lines)
      problems.push(...line.problems)
      if (problems.length >= maxProblems) break
      rates.push(rate)
      if (rates.length > maxRates) throw invalidField('file', `file must have ${maxRates} rates at most`)
    }
  } catch (error) {
    throw readable(error)
  }
  if (problems.length > 0) throw new ValidationError(problems.slice(0, maxProblems))
  if (rates.length === 0) throw invalidField('file', 'file must have at least one rate below its heading')
  return rates
}

/** @throws 400 where it is not UTF-8: a name must not come in with other letters */
async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    throw error instanceof TypeError ? invalidField('file', 'file must be text in UTF-8') : error
  }
}

interface Line {
  record: Partial<Record<Column, string>>
  info: { lines: number }
}

function headingOf(names: string[]): string[] {
  const heading = names.map((name) => name.toLowerCase())
  const unknown = heading.find((name) => !columns.some((column) => column === name))
  if (unknown !== undefined) throw invalidField('file', `file has the column ${unknown}, which no rate has`)
  const twice = heading.find((name, index) => heading.indexOf(name) !== index)
  if (twice !== undefined) throw invalidField('file', `file has the column ${twice} twice`)
  const missing = required.find((name) => !heading.includes(name))
  if (missing !== undefined) throw invalidField('file', `file has no column ${missing}`)
  return heading
}

/** One line, and what is wrong with it. */
class RateLine {
  readonly problems: FieldProblem[] = []

  constructor(
    private readonly cells: Partial<Record<Column, string>>,
    private readonly line: number,
  ) {}

  refuse(column: Column, rule: string): void {
    this.problems.push({
      field: `file.${this.line}.${column}`,
      messages: [`line ${this.line}: ${column} ${rule}`],
    })
  }

  rate(): FileRate {
    const is_blocked = this.flag('is_blocked')
    const kind = this.kind()
    if (kind === 'message') this.refuseForMessages()
    return {
      kind,
      prefix: this.prefix(),
      destination: this.destination(),
      price: this.amount('price', is_blocked ? 0 : null),
      connection_fee: this.amount('connection_fee', 0),
      minimum_seconds: this.seconds('minimum_seconds'),
      increment_seconds: this.seconds('increment_seconds'),
      is_blocked,
      valid_from: this.time('valid_from'),
    }
  }

  private refuseForMessages(): void {
    const none = { connection_fee: 0, minimum_seconds: 1, increment_seconds: 1 } as const
    for (const column of Object.keys(none) as (keyof typeof none)[])
      if (this.cells[column] && Number(this.cells[column]) !== none[column])
        this.refuse(column, 'is for calls: a message has a price a segment')
  }

  private kind(): RateKind {
    const text = this.cells.kind || 'outbound_call'
    const kind = rateKinds.find((one) => one === text)
    if (!kind) this.refuse('kind', `must be one of ${rateKinds.join(', ')}`)
    return kind ?? 'outbound_call'
  }

  private prefix(): string {
    const text = (this.cells.prefix ?? '').replace(/^\+/, '')
    if (text === '*') return ''
    if (!/^[1-9]\d{0,14}$/.test(text)) {
      this.refuse('prefix', 'must be the first 1 to 15 digits of numbers in E.164, or * for all numbers')
    }
    return text.slice(0, 15)
  }

  private destination(): string {
    // An export keeps spreadsheets from taking it for a formula.
    const text = (this.cells.destination ?? '').replace(/^'(?=[=+\-@])/, '')
    if (text.length > 64) this.refuse('destination', 'must not be longer than 64 characters')
    return text.replace(/\p{Cc}/gu, ' ').slice(0, 64)
  }

  private amount(column: Column, otherwise: number | null): number {
    const text = this.cells[column] ?? ''
    if (text === '' && otherwise !== null) return otherwise
    const isAmount = /^\d{1,4}(\.\d{1,6})?$/.test(text) && Number(text) <= maxPrice
    if (!isAmount) this.refuse(column, `must be USD from 0 to ${maxPrice}, with six decimals at most`)
    return isAmount ? Number(text) : 0
  }

  private seconds(column: Column): number {
    const text = this.cells[column] || '1'
    const isTime = /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= maxSeconds
    if (!isTime) this.refuse(column, `must be whole seconds from 1 to ${maxSeconds}`)
    return isTime ? Number(text) : 1
  }

  private flag(column: Column): boolean {
    const text = (this.cells[column] || 'false').toLowerCase()
    if (!['true', 'false', '1', '0'].includes(text)) this.refuse(column, 'must be true or false')
    return text === 'true' || text === '1'
  }

  private time(column: Column): Date {
    const text = this.cells[column]
    if (!text) return always
    const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
      ? new Date(text)
      : new Date(NaN)
    const isTime = isDay(text.slice(0, 10)) && time.getTime() > 0 && time.getUTCFullYear() < 2200
    if (!isTime) this.refuse(column, 'must be a date or a time with its zone: 2026-07-01T00:00:00Z')
    return isTime ? time : always
  }
}

/** Whether there is such a day: `Date` makes 2 March of 30 February. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** USD. */
const maxPrice = 1_000
const maxSeconds = 3_600

function readable(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string }
  return code?.startsWith('CSV_') ? invalidField('file', `file is no CSV: ${message ?? code}`) : error
}

/** The heading of what is exported. */
export const heading = csvLine(columns)

/** One line of what is exported, which can be imported again. */
export function rateLine(rate: FileRate): string {
  return csvLine(
    columns.map((column): CsvCell => {
      if (column === 'prefix') return rate.prefix || '*'
      if (column === 'valid_from')
        return rate.valid_from.getTime() === 0 ? null : rate.valid_from.toISOString()
      if (column === 'is_blocked') return String(rate.is_blocked)
      return rate[column]
    }),
  )
}
