/** Types of endpoints by method and path, derived from the OpenAPI types. */
import { type JackfieldClient, type Outcome, dataOf, type paths } from '@jackfield/sdk'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Paths that have the method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never
}[keyof paths]

type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : never

/** Response of an endpoint on success. */
export type AnswerOf<M extends Method, P extends PathOf<M>> = paths[P][M] extends { responses: infer Answers }
  ? Json<Answers[keyof Answers & (200 | 201 | 202)]>
  : never

/** Query of an endpoint. */
export type QueryOf<P extends PathOf<'get'>> = paths[P]['get'] extends { parameters: { query?: infer Query } }
  ? NonNullable<Query>
  : never

/** Sort fields of a list. */
export type SortFieldOf<P extends PathOf<'get'>> =
  QueryOf<P> extends { sort_field?: infer Field } ? NonNullable<Field> & string : never

/** Names of the fields of an endpoint's JSON body. */
export type BodyField<M extends Method, P extends PathOf<M>> = paths[P][M] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? // For a union of bodies: the fields of all of them.
    Body extends unknown
    ? keyof Body & string
    : never
  : never

/** Paths of lists, and the type of their rows. */
export type ListPath = {
  [P in PathOf<'get'>]: AnswerOf<'get', P> extends { data: unknown[]; meta: { total: number } } ? P : never
}[PathOf<'get'>]
export type RowOf<P extends ListPath> =
  AnswerOf<'get', P> extends { data: (infer Row extends object)[] } ? Row : never

/** Parameters and body of a request. */
export interface Parts {
  path?: Record<string, string>
  query?: Record<string, unknown>
  /** JSON, or a form. */
  body?: unknown
}

type Send = (path: string, init: object) => Promise<Outcome<unknown>>

/**
 * Calls an endpoint by a path that is a type parameter. The client's types need a literal path,
 * hence the one cast. @throws {ApiError} if the API refuses
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
