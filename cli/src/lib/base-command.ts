/** Base of all commands: API connection, `--json`, and error output. */
import { ApiError, type JackfieldClient, createClient } from '@jackfield/sdk'
import { Args, Command, Flags } from '@oclif/core'
import { type Connection, localAppliance } from './appliance-file.js'
import { deadlineMs, fetchFrom } from './http-fetch.js'
import { type Profile, findProfile } from './profiles.js'
import { fields } from './table.js'
import { withAdvice } from './advice.js'
import { NothingDone } from './nothing-done.js'
import { usageError } from './usage-error.js'

/** Flag of commands that work within one workspace. */
export const workspaceFlag = {
  workspace: Flags.string({
    char: 'w',
    description: 'id of the workspace',
    env: 'JACKFIELD_WORKSPACE',
    helpValue: '<id>',
  }),
}

/** The host that a command uses: a workspace's, or the operator's. */
export type Host = 'workspace' | 'operator'

/** Flags for the host. */
export function flagsOf(host: Host = 'workspace') {
  return host === 'workspace' ? workspaceFlag : ({} as Partial<typeof workspaceFlag>)
}

/** Arguments for a path's parameters. */
export function argsOf(names: readonly string[], described: Record<string, string> = {}) {
  return Object.fromEntries(
    names.map((name) => [name, Args.string({ description: described[name] ?? 'its id', required: true })]),
  )
}

/** Examples in oclif's format. */
export function examplesOf(lines: readonly string[]): string[] {
  return lines.map((line) => `<%= config.bin %> ${line}`)
}

interface WayFlags {
  profile?: string | undefined
  workspace?: string | undefined
}

/** How often a request is retried after the wait that a 429 asks for. */
const retries = 5

export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true

  static override baseFlags = {
    profile: Flags.string({
      description: 'profile of `jackfield login` [default]; where there is none, the local appliance',
      env: 'JACKFIELD_PROFILE',
      helpGroup: 'GLOBAL',
    }),
  }

  /** Flag of each body field, for errors of the API that name the field. */
  protected flagByField: Readonly<Record<string, string>> = {}

  /** The API of a host. */
  protected async apiOf(host: Host | undefined, flags: WayFlags): Promise<JackfieldClient> {
    return host === 'operator' ? this.operatorApi(flags.profile) : this.workspaceApi(flags)
  }

  /** The operator's API. */
  protected async operatorApi(profile: string | undefined): Promise<JackfieldClient> {
    const connection = await this.connection(profile)
    if ('apiKey' in connection.credential) {
      throw usageError('This needs the operator’s token: log in with jackfield login --operator-token')
    }
    return this.clientOf(connection, 'admin')
  }

  /** The API of a workspace. */
  protected async workspaceApi(flags: WayFlags): Promise<JackfieldClient> {
    const connection = await this.connection(flags.profile)
    return this.clientOf(connection, flags.workspace ?? connection.workspace ?? this.workspaceMissing())
  }

  /** The selected workspace, for paths of the operator's API. */
  protected async workspaceId(flags: WayFlags): Promise<string> {
    return flags.workspace ?? (await this.connection(flags.profile)).workspace ?? this.workspaceMissing()
  }

  /** Prints one object. */
  protected printFields(row: object): void {
    this.log(fields(row))
  }

  /** Shows that the API's rate limit delays the command. */
  protected reportWait(seconds: number): void {
    this.logToStderr(`Too many requests: going on in ${String(seconds)} s`)
  }

  protected override async catch(
    error: Error & { exitCode?: number; oclif?: { exit?: number } },
  ): Promise<unknown> {
    if (error instanceof NothingDone) {
      this.logToStderr(error.message)
      return this.exit(error.exitCode)
    }
    if (!(error instanceof ApiError)) {
      withAdvice(error)
      // Under --json oclif would print these on stdout, and lose the exit code.
      if (this.jsonEnabled()) throw error
      return super.catch(error)
    }
    if (this.jsonEnabled()) {
      this.logJson(error.body ?? { statusCode: error.status, message: error.message })
      return this.exit(1)
    }
    // A CLIError would be wrapped at 80 columns: print one problem a line.
    for (const line of this.problemsOf(error)) this.logToStderr(`Error: ${line}`)
    return this.exit(1)
  }

  protected async connection(name: string | undefined): Promise<Profile> {
    const profile = await findProfile(name ?? 'default')
    const found: Profile | Connection | null = profile ?? (name === undefined ? localAppliance() : null)
    if (found) return found
    const reason = name
      ? `There is no profile ${name}`
      : 'No appliance is found here: run npm run up in the checkout, or jackfield login'
    throw usageError(reason)
  }

  /** Rephrases a problem in terms of the input. */
  protected reword(problem: string): string {
    return problem
  }

  /** Each problem with its field and its flag. */
  private problemsOf(error: ApiError): string[] {
    if (error.errors.length === 0) return [error.message]
    return error.errors.flatMap(({ field, messages }) => {
      const flag = this.flagByField[field] ?? this.flagByField[field.split('.')[0] ?? '']
      return messages.map((message) => {
        const named = this.reword(field === '' || message.includes(field) ? message : `${field}: ${message}`)
        return flag ? `${named} (--${flag})` : named
      })
    })
  }

  private clientOf({ http, baseDomain, credential }: Connection, label: string): JackfieldClient {
    const url = new URL(http)
    const host = `${label}.${baseDomain}${url.port ? `:${url.port}` : ''}`
    return createClient({
      url: `${url.protocol}//${host}`,
      ...credential,
      retries,
      timeoutMs: deadlineMs,
      onRetry: (seconds) => this.reportWait(seconds),
      fetch: fetchFrom(http),
    })
  }

  private workspaceMissing(): never {
    throw usageError('Missing --workspace <id>: which workspace is meant?')
  }
}
