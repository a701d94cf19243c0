/**
 * `endpoint()`: one endpoint is one object. Router, validation, authentication, rate limits, the
 * OpenAPI document, the SDK's types and the generated tests are all derived from it.
 */
import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import type { RangedAnswer } from './ranged-answer.js'

/** Rate tiers of the contract's section Limits. */
export type RateTier = 'default' | 'heavy' | 'sms' | 'auth'

export type KeyScope = 'any' | 'full'
export type KeyRole = 'owner' | 'editor' | 'viewer'

/** What an agent may do in every team (contract, Authentication 5). */
export type AgentRole = 'member' | 'leader' | 'supervisor'

/** Who may call an endpoint, and on which host it lives. */
export type Auth = OpenAuth | OperatorAuth | ApiKeyAuth | VisitorAuth | BearerAuth
interface OpenAuth {
  readonly scheme: 'open'
}
export interface OperatorAuth {
  readonly scheme: 'operator'
}
export interface ApiKeyAuth {
  readonly scheme: 'api_key'
  readonly scope: KeyScope
  readonly roles: readonly KeyRole[]
  /** Of the agents, admins are admitted too. */
  readonly agents: 'admin'
}
interface VisitorAuth {
  readonly scheme: 'visitor'
}
export interface BearerAuth<K extends BearerActor['kind'] = BearerActor['kind']> {
  readonly scheme: 'bearer'
  /** Whose tokens are taken. */
  readonly kinds: readonly K[]
  /** The roles of agents who are admitted. */
  readonly roles: readonly AgentRole[]
}

/** No credentials; answered on every host. */
export const open: OpenAuth = { scheme: 'open' }

/** The operator's token; answered on the operator's host only. */
export const operator: OperatorAuth = { scheme: 'operator' }

/** Roles that may change something; a viewer never does, whatever the key's scope. */
export const writerRoles: readonly KeyRole[] = ['owner', 'editor']

export const everyRole: readonly KeyRole[] = [...writerRoles, 'viewer']

/**
 * A workspace's API key, the operator, or an agent with the role admin; the last two count as owners with full scope.
 * @param scope `any` admits every key, `full` only keys of full scope
 * @param roles the roles admitted; by default every role for `any`, and those that may write for `full`
 */
export function apiKey(
  scope: KeyScope,
  roles: readonly KeyRole[] = scope === 'full' ? writerRoles : everyRole,
): ApiKeyAuth {
  return { scheme: 'api_key', scope, roles, agents: 'admin' }
}

/** No credentials; answered on hosts of workspaces: where credentials come from. */
export const visitor: VisitorAuth = { scheme: 'visitor' }

const everyAgentRole: readonly AgentRole[] = ['member', 'leader', 'supervisor']

/** An agent's access token. @param roles the roles admitted; all of them by default */
export function agent(...roles: AgentRole[]): BearerAuth<'agent'> {
  return { scheme: 'bearer', kinds: ['agent'], roles: roles.length > 0 ? roles : everyAgentRole }
}

/** An agent's access token, or a client's JWT. */
export const agentOrClient: BearerAuth<'agent' | 'client'> = {
  ...{ scheme: 'bearer', kinds: ['agent', 'client'] },
  roles: everyAgentRole,
}

/** The token of one call, or of a person. */
export const callTokenOrPerson: BearerAuth = {
  ...{ scheme: 'bearer', kinds: ['call_token', 'agent', 'client'] },
  roles: everyAgentRole,
}

/** Who makes a request. */
export type Actor = KeyActor | BearerActor

/** The operator or an API key. */
export type KeyActor =
  | {
      readonly kind: 'operator'
      /** `ent_…`: the operator has entered the workspace, and comes with the token of that. */
      readonly entry_id?: string
    }
  | { readonly kind: 'api_key'; readonly sid: string; readonly scope: KeyScope; readonly role: KeyRole }

/** Who manages a workspace: the operator, an API key, or an agent with the role admin. */
export type ManagingActor = KeyActor | AgentActor

/** Whether a key, admin or operator may change what belongs to the workspace, and so see its secrets. */
export function mayWrite(actor: ManagingActor): boolean {
  return actor.kind !== 'api_key' || (actor.scope === 'full' && writerRoles.includes(actor.role))
}

/** What a manager of a workspace may do in it. */
export function keyRoleOf(actor: ManagingActor): KeyRole {
  return actor.kind === 'api_key' ? actor.role : 'owner'
}

/** Who comes with a token. */
export type BearerActor = AgentActor | ClientActor | CallActor

export interface AgentActor {
  readonly kind: 'agent'
  /** `ag_…` */
  readonly id: string
  readonly username: string
  readonly role: AgentRole
  /** May do in the workspace what an API key of its owner may. */
  readonly is_admin: boolean
  /** `ses_…` */
  readonly session_id: string
  readonly device_id: string
  /** When the token ends, in milliseconds since 1970. */
  readonly expires_at: number
}

/** A user of a customer's app. */
export interface ClientActor {
  readonly kind: 'client'
  /** Names the user within the workspace. */
  readonly sub: string
  /** The API key that the token is signed with. */
  readonly key_sid: string
  readonly call_flow_id: string
  readonly expires_at: number
}

/** A client that holds the token of one call. */
export interface CallActor {
  readonly kind: 'call_token'
  /** An agent's id or a client's `sub`. */
  readonly sub: string
  readonly person: 'agent' | 'client'
  readonly call_id: string
  /** The channel of this app's leg. */
  readonly fs_uuid: string
}

/** The workspace that the request's host names. */
export interface Tenant {
  readonly id: string
  readonly title: string
  readonly country_code: string
}

/** A file of a multipart upload, already on disk in a temporary place that the router cleans up. */
export interface UploadedFile {
  readonly path: string
  readonly name: string
  /** The MIME type that the sender gave it, in lower case and without parameters; '' when it gave none. */
  readonly type: string
  readonly size: number
}

interface RequestContext<P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly file: UploadedFile | undefined
  readonly requestId: string
  /** The caller's `Idempotency-Key`, on endpoints that accept one. */
  readonly idempotencyKey: string | undefined
  /** The header `Last-Event-ID`: the last that a reader of events has got. */
  readonly lastEventId: string | undefined
}

type ContextOf<A extends Auth, P, Q, B> = RequestContext<P, Q, B> & AuthContext<A>

/** What a request has by the credentials that its endpoint asks for. */
export type AuthContext<A extends Auth> = A extends ApiKeyAuth
  ? { readonly workspace: Tenant; readonly actor: ManagingActor }
  : A extends OperatorAuth
    ? { readonly actor: KeyActor }
    : A extends VisitorAuth
      ? { readonly workspace: Tenant }
      : A extends BearerAuth<infer K>
        ? { readonly workspace: Tenant; readonly actor: Extract<BearerActor, { kind: K }> }
        : unknown

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An answer that is not JSON: sent as it is. */
export class RawAnswer {
  constructor(
    readonly type: string,
    readonly content: string | Buffer | Readable,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly status?: number,
  ) {}
}

type AnswerOf<R extends Readonly<Record<number, TSchema>>> =
  Static<R[keyof R & number]> | RawAnswer | RangedAnswer

type SchemaOr<T extends TSchema | undefined, Otherwise> = T extends TSchema ? Static<T> : Otherwise

/** What a request can be about that needs a call that lives. */
export type LiveSubject = 'call' | 'recording'

export interface EndpointDefinition<
  A extends Auth,
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  R extends Readonly<Record<number, TSchema>>,
> {
  readonly method: Method
  /** Relative to /api/v1, with `:name` parameters. */
  readonly path: string
  readonly summary: string
  /** More than the summary says, in Markdown. */
  readonly description?: string
  readonly tag: string
  readonly auth: A
  readonly tier?: RateTier
  /** The action by which each answer is noted in the audit log, such as `recording.read`: of the `id` in its path. */
  readonly audited?: `${string}.${string}`
  /** Counted for itself, not with others of its tier. */
  readonly countedApart?: boolean
  /** Only the limit of the address holds: of what lives as long as a connection. */
  readonly uncounted?: boolean
  /**
   * What a visitor's requests are counted by, beside their source: what they name in their body, which is not checked
   * yet. The body is read first.
   */
  readonly countedBy?: (workspace: Tenant, body: Readonly<Record<string, unknown>>) => Promise<string>
  /** The token may also stand in the query, as `token`: a browser's EventSource sends no headers. */
  readonly tokenInQuery?: boolean
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** Takes multipart/form-data with one file field of this name: besides JSON, or alone without a `body`. */
  readonly upload?: { readonly field: string; readonly maxBytes: number }
  /** The success status and the answer's shape. */
  readonly response: R
  /** Failures beyond 400 by schema, 401 and 429, which every endpoint has. */
  readonly errors?: Readonly<Record<number, string>>
  /** Accepts `Idempotency-Key`: a repetition answers what the first request answered. */
  readonly idempotent?: boolean
  /**
   * The live call that the request is about, which its `call_id` or `id` names: of several servers, the one that drives that
   * call handles the request. Its answer is JSON.
   */
  readonly drivesCalls?: LiveSubject
  readonly handler: (
    context: ContextOf<A, SchemaOr<P, Record<string, never>>, SchemaOr<Q, unknown>, SchemaOr<B, undefined>>,
  ) => Promise<AnswerOf<R>> | AnswerOf<R>
}

/** An endpoint as the router and the generators see it. */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly auth: Auth
  readonly tier: RateTier
  readonly audited: string | null
  readonly countedApart: boolean
  readonly uncounted: boolean
  readonly countedBy?: NonNullable<
    EndpointDefinition<Auth, undefined, undefined, undefined, never>['countedBy']
  >
  readonly tokenInQuery: boolean
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  readonly upload?: { readonly field: string; readonly maxBytes: number }
  readonly status: number
  readonly responseSchema: TSchema
  readonly errors: Readonly<Record<number, string>>
  readonly idempotent: boolean
  readonly drivesCalls: LiveSubject | null
  /** Whether it answers `{data: […], …}` to a GET. */
  readonly isList: boolean
  handle(context: EndpointContext): Promise<unknown>
}

/** What the router hands to every endpoint; `endpoint()` narrows it by the endpoint's own schemas. */
export interface EndpointContext extends RequestContext<unknown, unknown, unknown> {
  readonly workspace: Tenant | undefined
  readonly actor: Actor | undefined
}

/** Declares an endpoint. Without `auth` it does not compile. */
export function endpoint<
  A extends Auth,
  const R extends Readonly<Record<number, TSchema>>,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(definition: EndpointDefinition<A, P, Q, B, R>): Endpoint {
  const [status, responseSchema] = onlyResponse(definition.response)
  return {
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    tag: definition.tag,
    auth: definition.auth,
    tier: definition.tier ?? 'default',
    audited: definition.audited ?? null,
    countedApart: definition.countedApart ?? false,
    uncounted: definition.uncounted ?? false,
    ...(definition.countedBy && { countedBy: definition.countedBy }),
    tokenInQuery: definition.tokenInQuery ?? false,
    status,
    responseSchema,
    errors: definition.errors ?? {},
    idempotent: definition.idempotent ?? false,
    drivesCalls: definition.drivesCalls ?? null,
    isList: definition.method === 'GET' && hasData(responseSchema),
    ...(definition.description && { description: definition.description }),
    ...(definition.params && { params: definition.params }),
    ...(definition.query && { query: definition.query }),
    ...(definition.body && { body: definition.body }),
    ...(definition.upload && { upload: definition.upload }),
    // The router has validated the context against this endpoint's own schemas before it calls.
    handle: async (context) => definition.handler(context as never),
  }
}

function hasData(schema: TSchema): boolean {
  const { properties } = schema as { properties?: { data?: { type?: unknown } } }
  return properties?.data?.type === 'array'
}

function onlyResponse(response: Readonly<Record<number, TSchema>>): [number, TSchema] {
  const entries = Object.entries(response)
  const [entry] = entries
  if (!entry || entries.length > 1) throw new Error('an endpoint declares exactly one success response')
  return [Number(entry[0]), entry[1]]
}
