/** What an action is, and what it may do with its call. */
import type { Static, TSchema } from 'typebox'
import type { Owner } from '../../database/workspace-table.js'
import type { FieldProblem } from '../../http/errors.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { CallMedia } from '../call-media.js'
import type { CallRouting, Route } from '../call-routing.js'

/** What is needed to check an action before it is accepted. */
export interface ActionServices {
  readonly media: CallMedia
  readonly routing: CallRouting
}

/** The running call, as an action sees it. Every method ends early when the call or the script ends. */
export interface ActionContext extends ActionServices {
  readonly workspace: Owner
  /** The number that the call goes out with; null when it is gone. */
  phoneNumber(): Promise<PhoneNumber | null>
  /** Plays a file to its end. */
  play(file: string): Promise<void>
  playInBackground(file: string): Promise<void>
  /**
   * Rings somebody over a trunk and joins them with the call until one of them leaves.
   * @returns whether they were reached
   */
  connect(route: Route, options: { ringTimeout: number; ringback: string | null }): Promise<boolean>
  hangUp(cause: string): Promise<void>
}

/** One action: its name, its parameters, and what it does. */
export interface Action<P extends TSchema = TSchema> {
  readonly name: string
  readonly params: P
  /** Rules that a schema cannot express; fields are relative to the parameters. */
  check?(workspace: Owner, params: Static<P>, services: ActionServices): Promise<FieldProblem[]>
  run(context: ActionContext, params: Static<P>): Promise<void>
}

/** Declares an action; its parameters have been validated when it runs. */
export function action<P extends TSchema>(definition: Action<P>): Action<P> {
  return definition
}

/** A problem with one parameter. */
export function problem(field: string, message: string): FieldProblem {
  return { field, messages: [`${field} ${message}`] }
}
