/** Commands whose CSV file the server reads: all lines are written, or none. */
import { Args, type Command, Flags } from '@oclif/core'
import { BaseCommand, examplesOf, workspaceFlag } from '../lib/base-command.js'
import { call } from '../lib/endpoints.js'
import { table } from '../lib/table.js'
import { uploadOf } from '../lib/upload.js'

interface FileImportSpec {
  summary: string
  /** Columns of a file. */
  description: string
  examples: readonly string[]
}

/** Makes the command that sends a file to `POST path`. */
export function fileImportCommand(
  path: '/contacts/import' | '/extensions/import' | '/opt-outs/import',
  spec: FileImportSpec,
): Command.Class {
  class FileImport extends BaseCommand {
    static override summary = spec.summary
    static override description = [
      spec.description,
      'The heading may have other usual names, and cells of ids may have names.',
      'All lines are written, or none; faulty ones are reported with their numbers.',
    ].join('\n')
    static override examples = examplesOf(spec.examples)
    static override args = {
      file: Args.string({ description: 'CSV in UTF-8, with a heading', required: true }),
    }
    static override flags = {
      ...workspaceFlag,
      update: Flags.boolean({
        description: 'change what exists already, in place of leaving it',
        default: false,
      }),
      'skip-faulty': Flags.boolean({ description: 'write the other lines', default: false }),
      'dry-run': Flags.boolean({ description: 'check every line, write nothing', default: false }),
    }

    async run() {
      const { args, flags } = await this.parse(FileImport)
      const api = await this.workspaceApi(flags)
      const body = await uploadOf(args.file)
      const query = {
        existing: flags.update ? ('update' as const) : ('skip' as const),
        faulty: flags['skip-faulty'] ? ('skip' as const) : ('refuse' as const),
        dry_run: flags['dry-run'],
      }
      // One of the paths, for its types: all answer alike.
      const report = await call(api, 'post', path as '/contacts/import', { query, body })
      if (report.problems.length > 0)
        this.log(
          table(report.problems, {
            line: ({ line }) => line,
            field: ({ field }) => field,
            problem: ({ message }) => message,
          }),
        )
      const { created, updated, skipped, failed, is_dry_run } = report
      const would = is_dry_run ? ' would be' : ''
      this.log(
        `${created}${would} created, ${updated}${would} changed, ${skipped} left as they are, ${failed} faulty.`,
      )
      if (failed > 0) process.exitCode = 1
      return report
    }
  }
  return FileImport
}
