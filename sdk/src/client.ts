import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from './openapi.js'
import { patientFetch } from './send.js'

/** A client of one host. Its calls answer `{data, error, response}`; see `dataOf`. */
export type JackfieldClient = Client<paths>

export interface ClientOptions {
  /** Address of one host, without a path: `https://acme.voice.example` or `http://acme.localhost:8080`. */
  url: string
  /** A workspace's key, `sid-….<secret>`. */
  apiKey?: string
  /** The operator's token, in place of a key. */
  operatorToken?: string
  /** An agent's access token or a client's JWT, in place of a key; a function is asked for it at each request. */
  accessToken?: string | (() => string | Promise<string>)
  /** Milliseconds that an answer may take; 30 s without. A call's own `signal` ends it earlier. */
  timeoutMs?: number
  /** The same for a request that sends a file; ten minutes without. */
  uploadTimeoutMs?: number
  /** How often a request is sent again after the wait that a 429 asks for; never without. */
  retries?: number
  /** Told of each wait before a retry, in seconds. */
  onRetry?: (seconds: number) => void
  /** Used in place of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
}

/** Makes a client of one host: a workspace's, or the operator's. Without credentials it can log an agent in. */
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
