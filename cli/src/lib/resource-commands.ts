/** Standard commands of a resource, declared in a few lines each: show, create, set, delete. */
import { Flags } from '@oclif/core'
import type { Command } from '@oclif/core'
import { confirm } from './ask.js'
import { BaseCommand, type Host, argsOf, examplesOf, flagsOf } from './base-command.js'
import {
  type AnswerOf,
  type BodyField,
  type Method,
  type PathOf,
  type QueryOf,
  call,
  parametersOf,
} from './endpoints.js'
import { type Fields, bodyOf, flagsOfFields } from './fields.js'
import { requireChange } from './texts.js'

interface Spec<Answer> {
  summary: string
  description?: string
  /** Command lines, without the program's name. */
  examples: readonly string[]
  host?: Host
  /** Descriptions of the path's parameters. */
  args?: Record<string, string>
  /** Converts the response for display; all of its fields by default. */
  readable?: (answer: Answer) => object
  /** Success message, instead of the fields. */
  message?: (answer: Answer) => string
  /** Whether the response reports a failure: the exit code is then 1. */
  isFailure?: (answer: Answer) => boolean
}

interface WriteSpec<M extends Method, P extends PathOf<M>> extends Spec<AnswerOf<M, P>> {
  fields: Fields<BodyField<M, P> | `${BodyField<M, P>}.${string}`>
  /** Adds derived fields to the body. */
  finish?: (body: Record<string, unknown>) => object
  /** Rephrases a problem in terms of the request. */
  reword?: (problem: string, sent: object) => string
}

/** Makes a show command. */
export function showCommand<P extends PathOf<'get'>>(
  path: P,
  spec: Spec<AnswerOf<'get', P>> & { query?: Fields<keyof QueryOf<P> & string> },
): Command.Class {
  return commandOf('get', path, spec, spec.query ? { fields: spec.query, inQuery: true, complete: true } : {})
}

/** Makes a create command: it prompts for missing fields. */
export function createCommand<P extends PathOf<'post'>>(path: P, spec: WriteSpec<'post', P>): Command.Class {
  return commandOf('post', path, spec, { ...writing(spec), complete: true })
}

/** Makes a set command: it changes the fields whose flags are given. */
export function setCommand<P extends PathOf<'patch'>>(path: P, spec: WriteSpec<'patch', P>): Command.Class {
  return commandOf('patch', path, spec, writing(spec))
}

/** Makes a command for another action on one object; it prompts for missing fields. */
export function actCommand<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  spec: Spec<AnswerOf<M, P>> & Partial<WriteSpec<M, P>>,
): Command.Class {
  return commandOf(method, path, spec, { fields: {}, ...writing(spec), complete: true })
}

interface DeleteOptions {
  verb?: 'Delete' | 'Remove' | 'Revoke'
  /** Question of the confirmation. */
  question?: (id: string) => string
}

/** Makes a delete command with a confirmation. */
export function deleteCommand<P extends PathOf<'delete'>>(
  path: P,
  spec: Spec<AnswerOf<'delete', P>> & DeleteOptions,
): Command.Class {
  const { verb = 'Delete', question = (id) => `${verb} ${id}?` } = spec
  const names = parametersOf(path)
  class Deletion extends BaseCommand {
    static override summary = spec.summary
    static override examples = examplesOf(spec.examples)
    static override args = argsOf(names, spec.args)
    static override flags = { ...flagsOf(spec.host), yes: Flags.boolean({ description: 'do not ask' }) }

    async run() {
      const { args, flags } = await this.parse(Deletion)
      const api = await this.apiOf(spec.host, flags)
      const what = args[names.at(-1) ?? ''] ?? ''
      await confirm(flags.yes, '--yes', question(what))
      const deleted = await call(api, 'delete', path, { path: args })
      this.logToStderr(`${what} is ${verb.toLowerCase()}d.`)
      return deleted
    }
  }
  return described(Deletion, spec)
}

interface Writing {
  fields?: Fields<string>
  finish?: (body: Record<string, unknown>) => object
  reword?: (problem: string, sent: object) => string
  /** Whether the fields are query parameters instead of body fields. */
  inQuery?: boolean
  /** Whether it prompts for missing fields; otherwise at least one flag is required. */
  complete?: boolean
}

function writing({ fields, finish, reword }: Writing): Writing {
  return { ...(fields && { fields }), ...(finish && { finish }), ...(reword && { reword }) }
}

function commandOf<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  spec: Spec<AnswerOf<M, P>>,
  { fields, finish, reword, inQuery = false, complete = false }: Writing,
): Command.Class {
  class Generic extends BaseCommand {
    static override summary = spec.summary
    static override examples = examplesOf(spec.examples)
    static override args = argsOf(parametersOf(path), spec.args)
    static override flags = { ...flagsOf(spec.host), ...flagsOfFields(fields ?? {}) }

    protected override flagByField = Object.fromEntries(
      Object.entries(fields ?? {}).map(([flag, { name }]) => [name, flag]),
    )

    private content: object = {}

    protected override reword(problem: string): string {
      return reword ? reword(problem, this.content) : problem
    }

    async run() {
      const { args, flags } = await this.parse(Generic)
      const api = await this.apiOf(spec.host, flags)
      const body = fields && (await bodyOf(fields, flags, complete))
      if (body && !complete) requireChange(body)
      this.content = (body && finish ? finish(body) : body) ?? {}
      const empty = Object.keys(this.content).length === 0
      const sent = empty ? {} : { [inQuery ? 'query' : 'body']: this.content }
      const answer = await call(api, method, path, { path: args, ...sent })
      if (spec.message) this.log(spec.message(answer))
      else this.printFields(spec.readable ? spec.readable(answer) : answer)
      if (spec.isFailure?.(answer)) process.exitCode = 1
      return answer
    }
  }
  return described(Generic, spec)
}

/** An absent description is absent, not undefined: oclif shows the summary in its place. */
function described(command: Command.Class, { description }: { description?: string }): Command.Class {
  if (description !== undefined) command.description = description
  return command
}
