/** Commands that import a CSV file: one line, one resource. */
import { type JackfieldClient, type Outcome, dataOf } from '@jackfield/sdk'
import { Args, type Command, Flags } from '@oclif/core'
import { BaseCommand, examplesOf, workspaceFlag } from '../lib/base-command.js'
import { type ListPath, type PathOf, call } from '../lib/endpoints.js'
import { readCsv } from './csv-rows.js'
import { existingOf, findExisting } from './existing.js'
import type { ImportSpec } from './import-spec.js'
import { type Candidate, type ImportRun, importLines } from './importer.js'
import { type ProgressBar, progressBar } from './progress-bar.js'
import { type ImportReport, problemTable, reportOf, summary } from './report.js'
import { type OpenApiDocument, rowSchema } from './row-schema.js'
import { checkColumns, rehearse, defaultsOf, sift } from './sift.js'

/** Makes the command that imports lines into `POST path`. */
export function importCommand<P extends PathOf<'post'>, L extends ListPath>(
  path: P,
  spec: ImportSpec<P, L>,
): Command.Class {
  class Import extends BaseCommand {
    static override summary = spec.summary
    static override description = [
      spec.description,
      'Every line is checked: invalid ones are reported with their numbers, the others are imported.',
      'Existing rows are not changed, so that a file can be imported again.',
    ].join('\n')
    static override examples = examplesOf(spec.examples)
    static override args = {
      file: Args.string({ description: 'CSV in UTF-8, with a heading; - for stdin', required: true }),
    }
    static override flags = {
      ...workspaceFlag,
      set: Flags.string({
        description: 'value for lines that have none in this column',
        helpValue: '<column>=<value>',
        multiple: true,
        multipleNonGreedy: true,
      }),
      'dry-run': Flags.boolean({ description: 'check every line, make nothing', default: false }),
    }

    private bar: ProgressBar | undefined

    async run(): Promise<ImportReport> {
      const { args, flags } = await this.parse(Import)
      const api = await this.workspaceApi(flags)
      const file = await readCsv(args.file)
      const schema = rowSchema(await documentOf(api), path)
      const defaults = defaultsOf(flags.set ?? [], schema)
      checkColumns(file, schema, Object.keys(defaults))
      const { candidates, settled } = sift(file, {
        schema,
        defaults,
        existing: await existingOf(api, spec),
        keyOf: (body) => spec.keyOf(body),
        keyField: spec.searchBy,
        ...(spec.unique && { unique: spec.unique }),
      })
      const dryRun = flags['dry-run']
      const { results, stopped } = dryRun
        ? { results: await rehearse(api, candidates, await this.rehearsal(api)) }
        : await this.send(api, candidates, settled.filter(({ outcome }) => outcome === 'failed').length)
      const report = reportOf(args.file, dryRun, [...settled, ...results], stopped)
      if (!this.jsonEnabled()) this.print(report)
      // Print the report anyway; under --json oclif does.
      if (report.counts.failed + report.counts.untried > 0) process.exitCode = 1
      return report
    }

    protected override reportWait(seconds: number): void {
      if (this.bar) this.bar.wait(seconds)
      else super.reportWait(seconds)
    }

    private async rehearsal(api: JackfieldClient) {
      const limit = spec.limit && (await call(api, 'get', '/profile')).limits[spec.limit]
      return {
        ...(spec.references && { references: spec.references }),
        ...(limit && { room: Math.max(0, limit.max - limit.used) }),
      }
    }

    private async send(
      api: JackfieldClient,
      candidates: readonly Candidate[],
      failed: number,
    ): Promise<ImportRun> {
      const interrupted = new AbortController()
      const interrupt = () => interrupted.abort()
      process.once('SIGINT', interrupt)
      const { length } = candidates
      this.bar = process.stderr.isTTY && length > 0 ? progressBar(length, failed) : undefined
      try {
        return await importLines(candidates, {
          create: async (body) => spec.idOf(await call(api, 'post', path, { body })),
          find: async ({ key, body }) => findExisting(api, spec, key, body),
          done: (result) => this.bar?.done(result),
          signal: interrupted.signal,
        })
      } finally {
        process.off('SIGINT', interrupt)
        this.bar?.stop()
        this.bar = undefined
      }
    }

    private print(report: ImportReport): void {
      const problems = problemTable(report)
      if (problems !== undefined) this.log(problems)
      if (report.stopped !== null) this.logToStderr(`The import was stopped: ${report.stopped}`)
      this.log(summary(report))
    }
  }
  return Import
}

/** The OpenAPI document of the server in use: it defines what the server accepts, not this program. */
async function documentOf(api: JackfieldClient): Promise<OpenApiDocument> {
  const get = api.GET as unknown as (path: string, init: object) => Promise<Outcome<OpenApiDocument>>
  return dataOf(get('/openapi.json', {}))
}
