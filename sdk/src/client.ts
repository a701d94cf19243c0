import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from './openapi.js'
import { patientFetch } from './send.js'

/** A client of one host. Its calls resolve to `{data, error, response}`; see `dataOf`. */
export type JackfieldClient = Client<paths>

export interface ClientOptions {
  /** URL of one host, without a path: `https://acme.voice.example` or `http://acme.localhost:8080`. */
  url: string
  /** A workspace's key, `sid-….<secret>`. */
  apiKey?: string
  /** The operator's token, instead of a key. */
  operatorToken?: string
  /** An agent's access token or a client's JWT, instead of a key; a function is called for each request. */
  accessToken?: string | (() => string | Promise<string>)
  /** Response timeout in milliseconds; default: 30 s. A call's own `signal` can end it earlier. */
  timeoutMs?: number
  /** Timeout of a request that uploads a file; default: ten minutes. */
  uploadTimeoutMs?: number
  /** How many times a request is retried after the wait that a 429 asks for; default: 0. */
  retries?: number
  /** Called before each wait for a retry, with its length in seconds. */
  onRetry?: (seconds: number) => void
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
}

/** Creates a client of one host: a workspace's, or the operator's. Without credentials it can log an agent in. */
export function createClient(options: ClientOptions): JackfieldClient {
  const client = createFetchClient<paths>({
    baseUrl: `${options.url.replace(/\/+$/, '')}/api/v1`,
    fetch: patientFetch({
      timeoutMs: options.timeoutMs ?? 30_000,
      uploadTimeoutMs: options.uploadTimeoutMs ?? 600_000,
      retries: options.retries ?? 0,
      onRetry: options.onRetry,
      fetch: options.fetch ?? (async (request) => fetch(request)),
    }),
  })
  client.use({
    onRequest: async ({ request }) => {
      const authorization = await authorizationOf(options)
      if (authorization) request.headers.set('authorization', authorization)
    },
  })
  return client
}

async function authorizationOf({
  apiKey,
  operatorToken,
  accessToken,
}: ClientOptions): Promise<string | null> {
  if (apiKey) return `ApiKey ${apiKey}`
  if (operatorToken) return `Operator ${operatorToken}`
  const token = typeof accessToken === 'function' ? await accessToken() : accessToken
  return token ? `Bearer ${token}` : null
}
