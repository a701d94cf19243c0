/** Endpoints by method and path, as commands name them; their types come from the OpenAPI document. */
import { type JackfieldClient, type Outcome, dataOf, type paths } from '@jackfield/sdk'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Paths that have the method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never
}[keyof paths]

type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : never

/** What an endpoint answers when it succeeds. */
export type AnswerOf<M extends Method, P extends PathOf<M>> = paths[P][M] extends { responses: infer Answers }
  ? Json<Answers[keyof Answers & (200 | 201 | 202)]>
  : never

/** What an endpoint's query may hold. */
export type QueryOf<P extends PathOf<'get'>> = paths[P]['get'] extends { parameters: { query?: infer Query } }
  ? NonNullable<Query>
  : never

/** What a list may be sorted by. */
export type SortFieldOf<P extends PathOf<'get'>> =
  QueryOf<P> extends { sort_field?: infer Field } ? NonNullable<Field> & string : never

/** Names of the fields of an endpoint's JSON body. */
export type BodyField<M extends Method, P extends PathOf<M>> = paths[P][M] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? // A union of bodies has the fields of each.
    Body extends unknown
    ? keyof Body & string
    : never
  : never

/** Paths of lists, and what a row of theirs is. */
export type ListPath = {
  [P in PathOf<'get'>]: AnswerOf<'get', P> extends { data: unknown[]; meta: { total: number } } ? P : never
}[PathOf<'get'>]
export type RowOf<P extends ListPath> =
  AnswerOf<'get', P> extends { data: (infer Row extends object)[] } ? Row : never

/** What goes with a request. */
export interface Parts {
  path?: Record<string, string>
  query?: Record<string, unknown>
  /** JSON, or a form. */
  body?: unknown
}

type Send = (path: string, init: object) => Promise<Outcome<unknown>>

/**
 * Calls an endpoint that is known by its path. The client types each path on its own, which a path that is a
 * type parameter is too much for: hence the one cast. @throws {ApiError} when the API refused
 */
export async function call<M extends Method, P extends PathOf<M>>(
  api: JackfieldClient,
  method: M,
  path: P,
  { path: inPath, query, ...rest }: Parts = {},
): Promise<AnswerOf<M, P>> {
  const send = api[method.toUpperCase() as Uppercase<M>] as unknown as Send
  return (await dataOf(send(path, { params: { path: inPath, query }, ...rest }))) as AnswerOf<M, P>
}

/** Names of a path's parameters: `/agents/{id}/teams` → `['id']`. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}
