/** What makes one import differ from another. */
import type { JackfieldClient, components } from '@jackfield/sdk'
import type { AnswerOf, ListPath, PathOf, RowOf } from '../lib/endpoints.js'

export type Body = Readonly<Record<string, unknown>>

/** Loads all that a field may name. */
export type ReferenceLoader = (api: JackfieldClient) => Promise<ReadonlySet<string>>

export interface ImportSpec<P extends PathOf<'post'>, L extends ListPath> {
  summary: string
  description: string
  examples: readonly string[]
  /** The list of what is there. */
  list: L
  /** What identifies a line; two lines with one key are one too many. */
  keyOf(body: Body): string
  /** What identifies one that is there. */
  keyOfExisting(row: RowOf<L>): string
  idOf(created: AnswerOf<'post', P>): string
  idOfExisting(row: RowOf<L>): string
  /** Field of the key that the list's search finds one by. */
  searchBy: string
  /** Further fields that no two have in common, compared without case. */
  unique?: readonly string[]
  /** Which of the profile's limits the lines count against. */
  limit?: keyof components['schemas']['Profile']['limits']
  /** Fields that name something of the workspace. */
  references?: Readonly<Record<string, ReferenceLoader>>
}
