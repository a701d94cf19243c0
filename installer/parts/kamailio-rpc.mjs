/** JSON-RPC client of Kamailio, over HTTP on its private listener. */
import { request } from 'node:http'

/** Default listen address. */
export const RPC_HOST = '127.0.0.1'

/**
 * One JSON-RPC command.
 * @param {{rpcHost?: string, rpcPort: number, rpcSecret: string}} options
 * @param {string} method for example `core.uptime`, `htable.dump`
 * @param {(string | number)[]} [params]
 * @returns {Promise<unknown>} the command's result
 * @throws {Error} when Kamailio does not answer within 2 s, or answers with an error
 */
export async function kamailioRpc(options, method, params = []) {
  const { status, text } = await post(
    { host: options.rpcHost ?? RPC_HOST, port: options.rpcPort },
    options.rpcSecret,
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  )
  // an unknown or refused command comes as an error object under a 4xx or 5xx
  const answer = text.startsWith('{') ? /** @type {unknown} */ (JSON.parse(text)) : undefined
  if (answer && typeof answer === 'object') {
    if ('result' in answer) return answer.result
    if ('error' in answer) throw new Error(`Kamailio refuses ${method}: ${JSON.stringify(answer.error)}`)
  }
  throw new Error(`Kamailio answers ${status} to ${method}`)
}

/**
 * @param {{host: string, port: number}} target
 * @param {string} secret
 * @param {string} body
 * @returns {Promise<{status: number, text: string}>}
 */
function post(target, secret, body) {
  return new Promise((fulfil, reject) => {
    const sent = request(
      {
        ...target,
        path: '/RPC',
        method: 'POST',
        agent: false,
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'content-length': body.length,
        },
        signal: AbortSignal.timeout(2000),
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (/** @type {string} */ chunk) => (text += chunk))
        response.on('end', () => fulfil({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
