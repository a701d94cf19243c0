/**
 * One command over the Event Socket of FreeSWITCH or the sandbox: enough for a health check.
 * The server has its own, complete client; this one must run before npm packages exist.
 */
import { connect } from 'node:net'

/**
 * @typedef {object} EventSocket
 * @property {string} host
 * @property {number} port
 * @property {string} password
 */

const MOST_BUFFERED = 4_000_000

/**
 * Runs one api command and returns what it printed.
 * @param {EventSocket} target
 * @param {string} command for example `status`; without line breaks
 * @param {number} [deadlineMs] for connecting, authenticating and the answer together
 * @returns {Promise<string>}
 * @throws {Error} if refused, unauthenticated or late
 */
export function eslApi({ host, port, password }, command, deadlineMs = 3000) {
  if (/[\r\n]/.test(command + password)) throw new Error('an Event Socket command holds a line break')
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: deadlineMs })
    const timer = setTimeout(() => finish(new Error('no answer on the Event Socket')), deadlineMs)
    let buffered = ''
    /** @param {Error | null} error @param {string} [answer] */
    function finish(error, answer = '') {
      clearTimeout(timer)
      socket.destroy()
      if (error) reject(error)
      else resolve(answer)
    }
    socket.setEncoding('utf8')
    socket.on('error', finish)
    socket.on('close', () => finish(new Error('the Event Socket was closed')))
    socket.on('data', (chunk) => {
      buffered += chunk
      if (buffered.length > MOST_BUFFERED)
        return finish(new Error('the answer on the Event Socket is too long'))
      for (let message = takeMessage(); message; message = takeMessage()) {
        const { headers, body } = message
        if (headers.includes('auth/request')) socket.write(`auth ${password}\n\n`)
        else if (headers.includes('command/reply')) {
          if (!headers.includes('+OK')) return finish(new Error('the Event Socket refuses the password'))
          socket.write(`api ${command}\n\n`)
        } else if (headers.includes('api/response')) return finish(null, body.trim())
      }
    })
    /** @returns {{headers: string, body: string} | undefined} one complete message, taken off the buffer */
    function takeMessage() {
      const end = buffered.indexOf('\n\n')
      if (end < 0) return undefined
      const headers = buffered.slice(0, end)
      const length = Number(/^Content-Length: *(\d+)/im.exec(headers)?.[1] ?? 0)
      if (Buffer.byteLength(buffered.slice(end + 2)) < length) return undefined
      const rest = Buffer.from(buffered.slice(end + 2))
      buffered = rest.subarray(length).toString()
      return { headers, body: rest.subarray(0, length).toString() }
    }
  })
}
