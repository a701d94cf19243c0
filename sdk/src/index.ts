/**
 * The Jackfield API as a typed client, for Node and browsers. Paths, parameters and answers are typed
 * from the OpenAPI document; `client.GET('/phone-numbers', …)` answers `{data, error, response}`.
 */
import createFetchClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './openapi.js'

export type { components, operations, paths } from './openapi.js'

/** Body of every failed answer (contract, section Errors). */
export type ApiErrorBody = components['schemas']['Error']

export type JackfieldClient = Client<paths>

export interface ClientOptions {
  /** Address of one host, without a path: `https://acme.voice.example` or `http://acme.localhost:8080`. */
  url: string
  /** A workspace's key, `sid-….<secret>`. */
  apiKey?: string
  /** The operator's token, in place of a key. */
  operatorToken?: string
  /** Used in place of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
}

/** Makes a client of one host: a workspace's, or the operator's. */
export function createClient(options: ClientOptions): JackfieldClient {
  const authorization = options.apiKey
    ? `ApiKey ${options.apiKey}`
    : `Operator ${options.operatorToken ?? ''}`
  return createFetchClient<paths>({
    baseUrl: `${options.url.replace(/\/+$/, '')}/api/v1`,
    headers: { authorization },
    ...(options.fetch && { fetch: options.fetch }),
  })
}

/** The API refused: `status` and `body` tell why. */
export class ApiRequestError extends Error {
  constructor(
    readonly status: number,
    readonly body: ApiErrorBody | undefined,
  ) {
    super([body?.message ?? `the API answered ${String(status)}`].flat().join(', '))
  }
}

/** What a call of the client resolves to. */
interface Outcome<T> {
  data?: T
  error?: unknown
  response: Response
}

/** The data of an answer. @throws {ApiRequestError} when the API refused */
export async function dataOf<T>(call: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await call
  if (data === undefined) throw new ApiRequestError(response.status, error as ApiErrorBody | undefined)
  return data
}
