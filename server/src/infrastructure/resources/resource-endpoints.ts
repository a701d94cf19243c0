/** The endpoints of a resource, by its description: the same five for each, in the order of the document. */
import type { TSchema, TUnsafe } from 'typebox'
import { type Auth, type AuthContext, type Endpoint, endpoint } from '../http/endpoint.js'
import { type ListRequest, type Page, listAnswer, listOf } from '../http/lists.js'
import { idParams } from '../http/shapes.js'

/** What an endpoint says where it is not what all resources say. */
export interface VerbTexts {
  /** `List extensions`, `Show an extension`, … by default. */
  readonly summary?: string
  readonly description?: string
  /** Beside the 404 of what has an id. */
  readonly errors?: Readonly<Record<number, string>>
}

export interface ResourceTexts {
  /** Relative to /api/v1: `/extensions`. */
  readonly path: string
  /** `extension`: in summaries, and in errors. */
  readonly noun: string
  /** `an` before a vowel by default. */
  readonly article?: 'a' | 'an'
  /** The noun with an s by default. */
  readonly plural?: string
  readonly tag: string
  /** Text of the 404 in the document; `No such extension` by default. */
  readonly unknown?: string
}

export type PageRequest = Pick<ListRequest, 'page' | 'limit'>

/** A description whose schemas are any: what the endpoints are made from. */
export interface EndpointsDescription extends ResourceTexts {
  readonly shape: TSchema
  readonly list?: VerbTexts & { readonly query: TUnsafe<PageRequest> }
  readonly show?: VerbTexts
  readonly create?: VerbTexts & { readonly body: TSchema }
  readonly update?: VerbTexts & { readonly body: TSchema }
  readonly delete?: VerbTexts
}

/** Endpoints of a resource's own in the places of those that all have, such as one whose answer has another shape. */
export type OwnEndpoints = Partial<Record<'list' | 'show' | 'create' | 'update' | 'delete', Endpoint>>

/** What the endpoints do, for one request. */
export interface Verbs {
  list(query: PageRequest): Promise<Page<object>>
  get(id: string): Promise<object>
  create(body: unknown): Promise<object>
  update(id: string, body: unknown): Promise<object>
  delete(id: string): Promise<object>
  /** How these rows are shown. */
  presenting(rows: readonly object[]): Promise<(row: object) => unknown>
}

export const pluralOf = ({ noun, plural = `${noun}s` }: Pick<ResourceTexts, 'noun' | 'plural'>) => plural

/**
 * Makes the endpoints that a description has.
 * @param limited whether a workspace may hold only so many: creating has a 403 for it
 * @param verbsFor what they do in a request
 */
export function endpointsOf<A extends Auth>(
  description: EndpointsDescription,
  { read, write }: { read: A; write: A },
  limited: boolean,
  verbsFor: (context: AuthContext<A>) => Verbs,
  own: OwnEndpoints = {},
): Endpoint[] {
  const { path, noun, tag, shape, list, show, create, update } = description
  const { article = /^[aeiou]/i.test(noun) ? 'an' : 'a', unknown = `No such ${noun}` } = description
  const one = `${article} ${noun}`
  const many = pluralOf(description)
  const itemPath = `${path}/:id`
  const presented = async (verbs: Verbs, row: object) => (await verbs.presenting([row]))(row)
  const texts = (summary: string, verb: VerbTexts, errors: Readonly<Record<number, string>>) => ({
    ...{ tag, summary: verb.summary ?? summary, errors: { ...errors, ...verb.errors } },
    ...(verb.description && { description: verb.description }),
  })
  const made: { readonly [V in keyof OwnEndpoints]: Endpoint | undefined } = {
    list:
      list &&
      endpoint({
        ...texts(`List ${many}`, list, {}),
        ...{ method: 'GET', path, auth: read, query: list.query, response: { 200: listOf(shape) } },
        handler: async (context) => {
          const verbs = verbsFor(context)
          const page = await verbs.list(context.query)
          return listAnswer(context.query, page, await verbs.presenting(page.rows))
        },
      }),
    show:
      show &&
      endpoint({
        ...texts(`Show ${one}`, show, { 404: unknown }),
        ...{ method: 'GET', path: itemPath, auth: read, params: idParams, response: { 200: shape } },
        handler: async (context) => {
          const verbs = verbsFor(context)
          return presented(verbs, await verbs.get(context.params.id))
        },
      }),
    create:
      create &&
      endpoint({
        ...texts(
          `Create ${one}`,
          create,
          limited ? { 403: `The workspace holds as many ${many} as it may` } : {},
        ),
        ...{ method: 'POST', path, auth: write, body: create.body, response: { 201: shape } },
        handler: async (context) => {
          const verbs = verbsFor(context)
          return presented(verbs, await verbs.create(context.body))
        },
      }),
    update:
      update &&
      endpoint({
        ...texts(`Change ${one}`, update, { 404: unknown }),
        ...{ method: 'PATCH', path: itemPath, auth: write, params: idParams, body: update.body },
        response: { 200: shape },
        handler: async (context) => {
          const verbs = verbsFor(context)
          return presented(verbs, await verbs.update(context.params.id, context.body))
        },
      }),
    delete:
      description.delete &&
      endpoint({
        ...texts(`Delete ${one}`, description.delete, { 404: unknown }),
        ...{ method: 'DELETE', path: itemPath, auth: write, params: idParams, response: { 200: shape } },
        handler: async (context) => {
          const verbs = verbsFor(context)
          // It is shown as it was: with what is deleted with it.
          const present = await verbs.presenting([await verbs.get(context.params.id)])
          return present(await verbs.delete(context.params.id))
        },
      }),
  }
  return Object.values({ ...made, ...own }).filter((each) => each !== undefined)
}
