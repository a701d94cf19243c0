/** A workspace and an admin for development. */
import { request } from 'node:http'
import { Failure } from '../failure.mjs'

export const WORKSPACE = 'acme'
export const USERNAME = 'ada'
export const PASSWORD = 'developer'

const PATIENCE_MS = 10_000

/**
 * Creates them if they are missing.
 * @param {import('../settings.mjs').Settings} settings
 * @param {string} token of the operator
 * @throws {Failure} when the server refuses
 */
export async function ensureLogin(settings, token) {
  const post = (/** @type {string} */ site, /** @type {string} */ path, /** @type {object} */ body) =>
    send(settings['http.port'], { site: `${site}.${settings['base_domain']}`, path, token, body })
  await post('admin', '/workspaces', { id: WORKSPACE, title: 'Acme', country_code: 'US' })
  const agent = { username: USERNAME, password: PASSWORD, display_name: 'Ada Lovelace', is_admin: true }
  await post(WORKSPACE, '/agents', agent)
}

/**
 * @param {number} port
 * @param {{site: string, path: string, token: string, body: object}} options
 * @returns {Promise<void>}
 * @throws {Failure} unless it is created or exists (409)
 */
function send(port, { site, path, token, body }) {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, path: `/api/v1${path}`, method: 'POST', agent: false },
        headers: {
          host: `${site}:${port}`,
          authorization: `Operator ${token}`,
          'content-type': 'application/json',
        },
        signal: AbortSignal.timeout(PATIENCE_MS),
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => (text += chunk))
        answer.on('end', () => {
          const { statusCode = 0 } = answer
          if (statusCode < 300 || statusCode === 409) resolve()
          else reject(new Failure(`POST ${path} is answered with ${statusCode}: ${text.slice(0, 200)}`))
        })
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}
