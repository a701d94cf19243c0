/**
 * `resource()`: a resource is described once. The description yields the endpoints that list, show, create, change and
 * delete it, and `ResourceService` keeps its rows by the same description. What a resource can do besides is a
 * hand-written `endpoint()`, and a method of its service.
 */
import type { Static, TSchema } from 'typebox'
import type { IdPrefix } from '../database/ids.js'
import type { WorkspaceRow } from '../database/workspace-table.js'
import {
  type ApiKeyAuth,
  type AuthContext,
  type BearerAuth,
  type Endpoint,
  type Tenant,
  apiKey,
  operator,
} from '../http/endpoint.js'
import type { ListRequest, Page } from '../http/lists.js'
import type { UsedKind } from './in-use.js'
import {
  type EndpointsDescription,
  type OwnEndpoints,
  type PageRequest,
  type ResourceTexts,
  type VerbTexts,
  type Verbs,
  endpointsOf,
} from './resource-endpoints.js'

type WorkspaceAuth = ApiKeyAuth | BearerAuth<'agent'>

/** Who asks. */
export type Asking = AuthContext<WorkspaceAuth>

interface Described extends ResourceTexts {
  /** Of the answers. */
  readonly shape: TSchema
  readonly list?: VerbTexts & { readonly query: TSchema }
  readonly show?: VerbTexts
  readonly create?: VerbTexts & { readonly body: TSchema }
  readonly update?: VerbTexts & { readonly body: TSchema }
  readonly delete?: VerbTexts
}

interface WorkspaceDescribed extends Described {
  /** API keys by default: all may read, those of full scope may write. */
  readonly auth?: { readonly read: WorkspaceAuth; readonly write: WorkspaceAuth }
}

/** How the rows of a workspace's resource are kept. */
export interface Rows<E extends WorkspaceRow> {
  /** Prefix of its ids. */
  readonly id: IdPrefix
  readonly table: new () => E
  /** Columns that `search` looks at. */
  readonly search?: readonly (keyof E & string)[]
  /** The order of a list whose query has none; the newest first by default. */
  readonly order?: Pick<ListRequest, 'sort_field' | 'sort_order'>
  /** Columns whose values the audit log never has. */
  readonly hidden?: readonly (keyof E & string)[]
  /** What the API calls a column, where it has another name for it. */
  readonly fields?: Readonly<Partial<Record<keyof E & string, string>>>
  /** What registers its users at `InUse`, where it is not deleted while there are any. */
  readonly guarded?: UsedKind
  /** Text of the 409 when a row breaks the UNIQUE constraint. */
  readonly taken?: (row: E) => string
  /** The error when a row names another one that has just been deleted. */
  readonly missing?: (row: E) => Error
}

type QueryOf<D> = D extends { list: { query: infer Q extends TSchema } } ? Static<Q> : never
type BodyOf<D, V extends 'create' | 'update'> =
  D extends Record<V, { body: infer B extends TSchema }> ? Static<B> : never
type ShownOf<D> = D extends { shape: infer S extends TSchema } ? Static<S> : never

/** Methods that are needed for a verb which a description has. */
type For<D, V extends string, Methods> = V & keyof D extends never ? unknown : Methods

/** What the endpoints of a workspace's resource need. @template R what is presented */
type WorkspaceVerbs<D, R> = For<D, 'list', { list(workspace: Tenant, query: QueryOf<D>): Promise<Page<R>> }> &
  For<D, 'show' | 'delete', { get(workspace: Tenant, id: string): Promise<R> }> &
  For<
    D,
    'create',
    { create(workspace: Tenant, input: BodyOf<D, 'create'>, actor: Asking['actor']): Promise<R> }
  > &
  For<
    D,
    'update',
    { update(workspace: Tenant, id: string, input: BodyOf<D, 'update'>, actor: Asking['actor']): Promise<R> }
  > &
  For<D, 'delete', { delete(workspace: Tenant, id: string, actor: Asking['actor']): Promise<R> }>

/** The same for what belongs to the operator. */
type OperatorVerbs<D, R> = For<D, 'list', { list(query: QueryOf<D>): Promise<Page<R>> }> &
  For<D, 'show' | 'delete', { get(id: string): Promise<R> }> &
  For<D, 'create', { create(input: BodyOf<D, 'create'>): Promise<R> }> &
  For<D, 'update', { update(id: string, input: BodyOf<D, 'update'>): Promise<R> }> &
  For<D, 'delete', { delete(id: string): Promise<R> }>

/** Presents each row by itself, or some rows with what is loaded for all of them at once. */
type Presenter<D, R> =
  | ((row: R, asking: Asking) => ShownOf<D>)
  | { presenting(rows: readonly R[], asking: Asking): Promise<(row: R) => ShownOf<D>> }

type OperatorPresenter<D, R> =
  ((row: R) => ShownOf<D>) | { presenting(rows: readonly R[]): Promise<(row: R) => ShownOf<D>> }

export type Resource<D> = D & {
  /** @param service does what the description has @param present the only place that knows how a row is shown */
  endpoints<R>(service: WorkspaceVerbs<D, R>, present: Presenter<D, R>, own?: OwnEndpoints): Endpoint[]
}

export type OperatorResource<D> = D & {
  endpoints<R>(service: OperatorVerbs<D, R>, present: OperatorPresenter<D, R>, own?: OwnEndpoints): Endpoint[]
}

/** The types that hold inside: those of one resource are checked where it is described, and where it is made. */
interface Made<S, P> {
  endpoints(service: S, present: P, own?: OwnEndpoints): Endpoint[]
}

type AnyPresenter =
  | ((row: object, asking: Asking) => unknown)
  | { presenting(rows: readonly object[], asking: Asking): Promise<(row: object) => unknown> }

interface AnyService {
  list(workspace: Tenant, query: PageRequest): Promise<Page<object>>
  get(workspace: Tenant, id: string): Promise<object>
  create(workspace: Tenant, input: unknown, actor: Asking['actor']): Promise<object>
  update(workspace: Tenant, id: string, input: unknown, actor: Asking['actor']): Promise<object>
  delete(workspace: Tenant, id: string, actor: Asking['actor']): Promise<object>
}

/** Describes what workspaces have. */
export function resource<E extends WorkspaceRow, const D extends WorkspaceDescribed>(
  description: D & Rows<E>,
): Resource<D> & Rows<E>
export function resource(
  description: EndpointsDescription & Pick<WorkspaceDescribed, 'auth'>,
): EndpointsDescription & Made<AnyService, AnyPresenter> {
  const { auth = { read: apiKey('any'), write: apiKey('full') } } = description
  return {
    ...description,
    endpoints: (service, present, own) => {
      const verbsFor = (asking: Asking): Verbs => {
        const { workspace, actor } = asking
        return {
          list: async (query) => service.list(workspace, query),
          get: async (id) => service.get(workspace, id),
          create: async (body) => service.create(workspace, body, actor),
          update: async (id, body) => service.update(workspace, id, body, actor),
          delete: async (id) => service.delete(workspace, id, actor),
          presenting: async (rows) =>
            typeof present === 'function' ? (row) => present(row, asking) : present.presenting(rows, asking),
        }
      }
      return endpointsOf<WorkspaceAuth>(description, auth, true, verbsFor, own)
    },
  }
}

type AnyOperatorPresenter =
  ((row: object) => unknown) | { presenting(rows: readonly object[]): Promise<(row: object) => unknown> }

/** Describes what the operator has. */
export function operatorResource<const D extends Described>(description: D): OperatorResource<D>
export function operatorResource(
  description: EndpointsDescription,
): EndpointsDescription & Made<Omit<Verbs, 'presenting'>, AnyOperatorPresenter> {
  return {
    ...description,
    endpoints: (service, present, own) => {
      const verbs: Verbs = {
        list: async (query) => service.list(query),
        get: async (id) => service.get(id),
        create: async (body) => service.create(body),
        update: async (id, body) => service.update(id, body),
        delete: async (id) => service.delete(id),
        presenting: async (rows) => (typeof present === 'function' ? present : present.presenting(rows)),
      }
      return endpointsOf(description, { read: operator, write: operator }, false, () => verbs, own)
    },
  }
}
