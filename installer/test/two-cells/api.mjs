/** The API of a cell's server, asked through a door (door.mjs). */
import { request } from 'node:http'

/**
 * What a body holds is the API's own (server/test/api holds it to its contract).
 * @typedef {any} Body
 */

export class Api {
  /**
   * @param {string} door path of the socket
   * @param {string} host `<workspace>.<base domain>`
   * @param {string} authorization
   */
  constructor(door, host, authorization) {
    this.door = door
    this.host = host
    this.authorization = authorization
  }

  /** The same person, at another server. @param {Api} other */
  at({ door }) {
    return new Api(door, this.host, this.authorization)
  }

  /** @returns {Promise<string>} what the server says of itself, and of the parts that are down */
  async health() {
    const { body } = await this.ask('GET', '', undefined, '/health')
    const down = Object.entries(body.parts).filter(([, state]) => state !== 'up')
    return [body.status, ...down.map(([part]) => `no ${part}`)].join(' ')
  }

  /**
   * @param {string} method
   * @param {string} path below /api/v1
   * @param {unknown} [body]
   * @param {string} [whole] the path, where it is not below that
   * @returns {Promise<{status: number, body: Body}>}
   */
  ask(method, path, body, whole = `/api/v1${path}`) {
    const json = body === undefined ? undefined : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const asked = request(
        {
          ...{ socketPath: this.door, method, path: whole, timeout: 20_000 },
          headers: {
            ...{ host: this.host, authorization: this.authorization },
            ...(json === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
          },
        },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (chunk) => (text += chunk))
          answer.on('error', reject)
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) }),
          )
        },
      )
      asked.on('timeout', () => asked.destroy(new Error(`${method} ${path}: no answer within 20 s`)))
      asked.on('error', reject)
      asked.end(json)
    })
  }

  /** @param {string} path @returns {Promise<Body>} @throws when the answer is not 2xx */
  async get(path) {
    return this.#succeeded('GET', path)
  }

  /** @param {string} path @param {unknown} [body] @returns {Promise<Body>} @throws when the answer is not 2xx */
  async post(path, body) {
    return this.#succeeded('POST', path, body)
  }

  /** @param {string} path @param {unknown} body @returns {Promise<Body>} @throws when the answer is not 2xx */
  async patch(path, body) {
    return this.#succeeded('PATCH', path, body)
  }

  /** @param {string} method @param {string} path @param {unknown} [body] */
  async #succeeded(method, path, body) {
    const answer = await this.ask(method, path, body)
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}
