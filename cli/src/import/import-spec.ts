/** How imports differ from each other. */
import type { JackfieldClient, components } from '@jackfield/sdk'
import type { AnswerOf, ListPath, PathOf, RowOf } from '../lib/endpoints.js'

export type Body = Readonly<Record<string, unknown>>

/** Loads all rows that a field may refer to. */
export type ReferenceLoader = (api: JackfieldClient) => Promise<ReadonlySet<string>>

export interface ImportSpec<P extends PathOf<'post'>, L extends ListPath> {
  summary: string
  description: string
  examples: readonly string[]
  /** The list of existing rows. */
  list: L
  /** Key of a line; lines with the same key are duplicates. */
  keyOf(body: Body): string
  /** Key of an existing row. */
  keyOfExisting(row: RowOf<L>): string
  idOf(created: AnswerOf<'post', P>): string
  idOfExisting(row: RowOf<L>): string
  /** The key's field, for the list's search. */
  searchBy: string
  /** Further unique fields, compared without case. */
  unique?: readonly string[]
  /** The limit of the profile that the lines count against. */
  limit?: keyof components['schemas']['Profile']['limits']
  /** Fields that refer to another object of the workspace. */
  references?: Readonly<Record<string, ReferenceLoader>>
}
