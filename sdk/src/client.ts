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
  /** Milliseconds that an answer may take; 30 s without. A call's own `signal` ends it earlier. */
  timeoutMs?: number
  /** How often a request is sent again after the wait that a 429 asks for; never without. */
  retries?: number
  /** Told of each wait before a retry, in seconds. */
  onRetry?: (seconds: number) => void
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
    fetch: patientFetch({
      timeoutMs: options.timeoutMs ?? 30_000,
      retries: options.retries ?? 0,
      onRetry: options.onRetry,
      fetch: options.fetch ?? (async (request) => fetch(request)),
    }),
  })
}
