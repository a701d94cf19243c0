/** The address and protocol of a server with the OpenAI Realtime API. */
export interface RealtimeAddress {
  /** `wss://api.openai.com/v1`, or another one: ws(s) or http(s), with or without `/realtime` at the end. */
  readonly baseUrl: string
  /** Null where the server asks for none. */
  readonly apiKey: string | null
  /**
   * `ga`: the names of the general availability of 2025. `beta`: the names before it (`OpenAI-Beta: realtime=v1`),
   * which most self-hosted servers speak. Incoming events are understood in both.
   */
  readonly protocol: 'ga' | 'beta'
  /** Transcribes what the caller says; null: no transcription. */
  readonly transcriptionModel: string | null
}

/** The address of a session with a model. @throws {TypeError} when `baseUrl` is not a URL */
export function sessionUrl({ baseUrl }: RealtimeAddress, modelId: string): URL {
  const url = new URL(baseUrl)
  url.protocol = url.protocol.replace('http', 'ws')
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith('/realtime') ? path : `${path}/realtime`
  url.searchParams.set('model', modelId)
  return url
}

export function sessionHeaders({ apiKey, protocol }: RealtimeAddress): Record<string, string> {
  return {
    ...(apiKey !== null && { Authorization: `Bearer ${apiKey}` }),
    ...(protocol === 'beta' && { 'OpenAI-Beta': 'realtime=v1' }),
  }
}
