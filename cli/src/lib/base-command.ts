/** What all commands share: the way to the API, `--json`, and how failures are told. */
import { ApiRequestError, type JackfieldClient, createClient } from '@jackfield/sdk'
import { Command, Errors, Flags } from '@oclif/core'
import { type Connection, localAppliance } from './appliance-file.js'
import { usageExitCode } from './ask.js'
import { fetchFrom } from './http-fetch.js'
import { type Profile, findProfile } from './profiles.js'
import { type Columns, fields, table } from './table.js'

/** Flag of commands that work within one workspace. */
export const workspaceFlag = {
  workspace: Flags.string({
    char: 'w',
    description: 'id of the workspace',
    env: 'JACKFIELD_WORKSPACE',
    helpValue: '<id>',
  }),
}

/** Flags of commands that list. */
export const listFlags = {
  page: Flags.integer({ description: 'page, from 1', default: 1, min: 1 }),
  limit: Flags.integer({ description: 'rows a page', default: 20, min: 1, max: 100 }),
}

export const searchFlag = { search: Flags.string({ description: 'text to look for' }) }

interface List<T> {
  data: T[]
  meta: { total: number; page: number; total_pages: number }
}

export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true

  static override baseFlags = {
    profile: Flags.string({
      description: 'profile of `jackfield login` [default]; where there is none, the local appliance',
      env: 'JACKFIELD_PROFILE',
      helpGroup: 'GLOBAL',
    }),
  }

  /** The operator's API. */
  protected async operatorApi(profile: string | undefined): Promise<JackfieldClient> {
    const connection = await this.connection(profile)
    if ('apiKey' in connection.credential) {
      throw new Errors.CLIError(
        'This needs the operator’s token: log in with jackfield login --operator-token',
        {
          exit: usageExitCode,
        },
      )
    }
    return clientOf(connection, 'admin')
  }

  /** The API of a workspace. */
  protected async workspaceApi(flags: {
    profile?: string | undefined
    workspace?: string | undefined
  }): Promise<JackfieldClient> {
    const connection = await this.connection(flags.profile)
    return clientOf(connection, flags.workspace ?? connection.workspace ?? this.workspaceMissing())
  }

  /** The workspace that a command means, for paths of the operator's API. */
  protected async workspaceId(flags: {
    profile?: string | undefined
    workspace?: string | undefined
  }): Promise<string> {
    return flags.workspace ?? (await this.connection(flags.profile)).workspace ?? this.workspaceMissing()
  }

  /** Prints a list for people. */
  protected printList<T>(list: List<T>, columns: Columns<T>): void {
    const { total, page, total_pages } = list.meta
    if (list.data.length === 0) this.logToStderr('None.')
    else this.log(table(list.data, columns))
    if (total_pages > 1)
      this.logToStderr(`Page ${String(page)} of ${String(total_pages)}, ${String(total)} in all.`)
  }

  /** Prints one object for people. */
  protected printFields(row: object): void {
    this.log(fields(row))
  }

  protected override async catch(
    error: Error & { exitCode?: number; oclif?: { exit?: number } },
  ): Promise<unknown> {
    if (!(error instanceof ApiRequestError)) {
      // oclif would print these on stdout under --json, and lose their exit code.
      if (this.jsonEnabled()) throw error
      return super.catch(error)
    }
    if (this.jsonEnabled()) {
      this.logJson(error.body ?? { statusCode: error.status, message: error.message })
      return this.exit(1)
    }
    const lines = error.body?.errors?.flatMap(({ messages }) => messages) ?? [error.message]
    // Not as a CLIError, which is wrapped at 80 columns: each problem keeps its own line.
    for (const line of lines) this.logToStderr(`Error: ${line}`)
    return this.exit(1)
  }

  protected async connection(name: string | undefined): Promise<Profile> {
    const profile = await findProfile(name ?? 'default')
    const found: Profile | Connection | null = profile ?? (name === undefined ? localAppliance() : null)
    if (found) return found
    const reason = name
      ? `There is no profile ${name}`
      : 'No appliance is found here: run npm run up in the checkout, or jackfield login'
    throw new Errors.CLIError(reason, { exit: usageExitCode })
  }

  private workspaceMissing(): never {
    throw new Errors.CLIError('Missing --workspace <id>: which workspace is meant?', { exit: usageExitCode })
  }
}

function clientOf({ http, baseDomain, credential }: Connection, label: string): JackfieldClient {
  const url = new URL(http)
  const host = `${label}.${baseDomain}${url.port ? `:${url.port}` : ''}`
  return createClient({ url: `${url.protocol}//${host}`, ...credential, fetch: fetchFrom(http) })
}
