/** All list commands: pages, search, columns, sorting, filters, tables, CSV and JSON, declared in a few lines each. */
import type { JackfieldClient, List } from '@jackfield/sdk'
import { type Command, Flags } from '@oclif/core'
import { BaseCommand, type Host, argsOf, examplesOf, flagsOf } from './base-command.js'
import { csvLine } from './csv.js'
import { type ListPath, type QueryOf, type RowOf, type SortFieldOf, call, parametersOf } from './endpoints.js'
import { type Columns, table } from './table.js'
import { type View, viewOf } from './views.js'
import { usageError } from './usage-error.js'

type Paging = 'page' | 'limit' | 'search' | 'sort_field' | 'sort_order'

export interface ListSpec<P extends ListPath, Extra extends string> {
  summary: string
  description?: string
  /** Command lines, without the program's name. */
  examples: readonly string[]
  /** The operator's host instead of a workspace's. */
  host?: Host
  /** Descriptions of the path's parameters. */
  args?: Record<string, string>
  /** Default columns of the table. */
  shown: readonly ((keyof RowOf<P> & string) | NoInfer<Extra>)[]
  /** Columns for `--columns`, `--sort` and `--filter`. */
  hidden?: readonly ((keyof RowOf<P> & string) | NoInfer<Extra>)[]
  /** Computed columns. */
  cells?: Record<Extra, (row: RowOf<P>) => unknown>
  /** What the API's search covers; without it there is no search. */
  search?: string
  /** Sort fields of the API. */
  sortFields: readonly SortFieldOf<P>[]
  /** The sort column of an API that takes only the order. */
  ordered?: (keyof RowOf<P> & string) | NoInfer<Extra>
  /** Filters of the API. */
  filters?: readonly Exclude<keyof QueryOf<P> & string, Paging>[]
}

/** Metadata of a list command, which tests compare with the OpenAPI document. */
export interface ListCommand extends Command.Class {
  list: { path: string; sortFields: readonly string[]; filters: readonly string[]; search: boolean }
}

/** Rows that `--all` fetches at a time: the API's largest page. */
const largestPage = 100

/** Makes the command that lists `path`. */
export function listCommand<P extends ListPath, Extra extends string = never>(
  path: P,
  spec: ListSpec<P, Extra>,
): ListCommand {
  type Row = RowOf<P>
  const filters: readonly string[] = spec.filters ?? []
  const sortFields = spec.sortFields as readonly string[]
  const sortable = [...sortFields, ...(spec.ordered ? [spec.ordered] : [])]
  const cells = (spec.cells ?? {}) as Columns<Row>
  const names: string[] = [...spec.shown, ...(spec.hidden ?? [])]
  const columns = Object.fromEntries(
    names.map((name) => [name, cells[name] ?? ((row: Row) => (row as Record<string, unknown>)[name])]),
  )

  class Listing extends BaseCommand {
    static list = { path, sortFields, filters, search: spec.search !== undefined }
    static override summary = spec.summary
    static override description = [
      ...(spec.description ? [spec.description] : []),
      `Columns: ${names.join(', ')}.`,
      `Sorted by the API, over all pages: ${sortable.join(', ') || 'nothing'}.`,
      ...(filters.length > 0 ? [`Filtered by the API, over all pages: ${filters.join(', ')}.`] : []),
      'What else is sorted or filtered by is done on the page that is shown, or with --all on every page.',
    ].join('\n')
    static override examples = examplesOf(spec.examples)
    static override args = argsOf(parametersOf(path), spec.args)
    static override flags = {
      ...flagsOf(spec.host),
      ...(spec.search && {
        search: Flags.string({ description: `look for this in ${spec.search}`, helpValue: '<text>' }),
      }),
      page: Flags.integer({ description: 'page, from 1', default: 1, min: 1 }),
      limit: Flags.integer({ description: 'rows a page', default: 20, min: 1, max: largestPage }),
      all: Flags.boolean({ description: 'every page' }),
      columns: Flags.string({ description: 'columns to show, comma separated', helpValue: '<list>' }),
      sort: Flags.string({
        description: 'sort by a column, downwards with a minus',
        helpValue: '[-]<column>',
      }),
      filter: Flags.string({
        description: 'rows with this value only; several must all hold',
        helpValue: '<column>=<value>',
        multiple: true,
        multipleNonGreedy: true,
      }),
      csv: Flags.boolean({ description: 'print CSV' }),
    }

    async run() {
      const { args, flags } = await this.parse(Listing)
      if (this.jsonEnabled() && (flags.csv || flags.columns !== undefined)) {
        throw usageError('--json prints what the API answers: --csv and --columns do not go with it')
      }
      const view = viewOf<Row>(
        { columns, shown: spec.shown, sortFields: sortable, ordered: spec.ordered, filters },
        flags,
      )
      const api = await this.apiOf(spec.host, flags)
      const query = { ...view.query, ...('search' in flags && flags.search && { search: flags.search }) }
      const found = flags.all
        ? await everyPage<P>(api, path, args, query)
        : await onePage<P>(api, path, args, { ...query, page: flags.page, limit: flags.limit })
      const list = { ...found, data: view.arrange(found.data) }
      if (flags.csv) this.printCsv(list.data, view.columns)
      else if (!this.jsonEnabled()) this.printTable(list.data, view.columns)
      this.printPages(found.meta, view)
      return list
    }

    private printTable(rows: Row[], shown: Columns<Row>): void {
      if (rows.length === 0) this.logToStderr('None.')
      else this.log(table(rows, shown))
    }

    private printCsv(rows: Row[], shown: Columns<Row>): void {
      process.stdout.write(csvLine(Object.keys(shown)))
      for (const row of rows) process.stdout.write(csvLine(Object.values(shown).map((cell) => cell(row))))
    }

    private printPages({ total, page, total_pages }: List<Row>['meta'], view: View<Row>): void {
      if (total_pages <= 1) return
      this.logToStderr(`Page ${String(page)} of ${String(total_pages)}, ${String(total)} in all.`)
      const here = [
        ...(view.sortedHere ? [`sorted by ${view.sortedHere}`] : []),
        ...(view.filteredHere.length > 0 ? [`filtered by ${view.filteredHere.join(', ')}`] : []),
      ]
      if (here.length > 0)
        this.logToStderr(`Only this page is ${here.join(' and ')}: --all takes every page.`)
    }
  }
  return Listing
}

async function onePage<P extends ListPath>(
  api: JackfieldClient,
  path: P,
  args: Record<string, string>,
  query: Record<string, unknown>,
): Promise<List<RowOf<P>>> {
  return await call(api, 'get', path, { path: args, query })
}

async function everyPage<P extends ListPath>(
  api: JackfieldClient,
  path: P,
  args: Record<string, string>,
  query: Record<string, unknown>,
): Promise<List<RowOf<P>>> {
  const data: RowOf<P>[] = []
  for (let page = 1; ; page++) {
    const found = await onePage(api, path, args, { ...query, page, limit: largestPage })
    data.push(...found.data)
    if (page >= found.meta.total_pages) {
      return { data, meta: { total: data.length, page: 1, limit: data.length, total_pages: 1 } }
    }
  }
}
