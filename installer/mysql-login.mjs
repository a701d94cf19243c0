/**
 * One login to MariaDB or MySQL: enough to check that the database answers and accepts us.
 * The server has a real driver; this one must run before npm packages exist.
 * Protocol: https://mariadb.com/kb/en/connection/ (handshake v10, mysql_native_password).
 */
import { createHash } from 'node:crypto'
import { connect } from 'node:net'

/**
 * @typedef {object} Login
 * @property {string} host
 * @property {number} port
 * @property {string} user
 * @property {string} password
 */

const CAPABILITIES = 0x0001 | 0x0200 | 0x8000 | 0x80000 // long password, protocol 4.1, secure connection, plugin auth
const NATIVE = 'mysql_native_password'

/**
 * Logs in and leaves again.
 * @param {Login} login
 * @param {number} [deadlineMs]
 * @returns {Promise<void>}
 * @throws {Error} with the database's message if it refuses
 */
export function mysqlLogin({ host, port, user, password }, deadlineMs = 3000) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port })
    const timer = setTimeout(() => finish(new Error(`no answer from ${host}:${port}`)), deadlineMs)
    let buffered = Buffer.alloc(0)
    let greeted = false
    /** @param {Error} [error] */
    function finish(error) {
      clearTimeout(timer)
      socket.destroy()
      if (error) reject(error)
      else resolve()
    }
    /** @param {number} sequence @param {Buffer} payload */
    function send(sequence, payload) {
      const header = Buffer.alloc(4)
      header.writeUIntLE(payload.length, 0, 3)
      header[3] = sequence
      socket.write(Buffer.concat([header, payload]))
    }
    /** @param {number} sequence @param {Buffer} payload */
    function handle(sequence, payload) {
      if (payload[0] === 0xff) return finish(new Error(errorText(payload)))
      if (!greeted) {
        greeted = true
        return send(sequence + 1, loginPacket(user, nativeReply(password, greetingSeed(payload))))
      }
      if (payload[0] === 0x00) {
        send(0, Buffer.from([0x01])) // quit, so that the server does not count an aborted connection
        return finish()
      }
      if (payload[0] === 0xfe) {
        const name = payload.subarray(1, payload.indexOf(0, 1)).toString()
        if (name === NATIVE) {
          const seed = payload.subarray(payload.indexOf(0, 1) + 1).subarray(0, 20)
          return send(sequence + 1, nativeReply(password, seed))
        }
      }
      finish() // another authentication method (MySQL 8): it answers, and the server's driver handles the rest
    }
    socket.on('error', finish)
    socket.on('close', () => finish(new Error(`${host}:${port} closed the connection`)))
    socket.on('data', (chunk) => {
      buffered = Buffer.concat([buffered, chunk])
      while (buffered.length >= 4 && buffered.length >= 4 + buffered.readUIntLE(0, 3)) {
        const length = buffered.readUIntLE(0, 3)
        const payload = buffered.subarray(4, 4 + length)
        const sequence = buffered[3] ?? 0
        buffered = buffered.subarray(4 + length)
        if (length > 0) handle(sequence, payload)
      }
      if (buffered.length > 65536) finish(new Error(`${host}:${port} does not speak the database’s protocol`))
    })
  })
}

/** @param {Buffer} payload an error packet: code, '#' and state, text */
function errorText(payload) {
  const text = payload.subarray(3).toString()
  return text.startsWith('#') ? text.slice(6) : text
}

/** @param {Buffer} payload the greeting: version text, thread id, 8 bytes of seed, ..., 12 more bytes */
function greetingSeed(payload) {
  const afterVersion = payload.indexOf(0, 1) + 1
  const first = payload.subarray(afterVersion + 4, afterVersion + 12)
  const second = payload.subarray(afterVersion + 31, afterVersion + 43)
  return Buffer.concat([first, second])
}

/** @param {string} user @param {Buffer} reply */
function loginPacket(user, reply) {
  const fixed = Buffer.alloc(32)
  fixed.writeUInt32LE(CAPABILITIES, 0)
  fixed.writeUInt32LE(1 << 24, 4)
  fixed[8] = 45 // utf8mb4
  return Buffer.concat([
    fixed,
    Buffer.from(`${user}\0`),
    Buffer.from([reply.length]),
    reply,
    Buffer.from(`${NATIVE}\0`),
  ])
}

/** @param {string} password @param {Buffer} seed */
function nativeReply(password, seed) {
  if (password === '') return Buffer.alloc(0)
  const once = createHash('sha1').update(password).digest()
  const twice = createHash('sha1').update(once).digest()
  const mask = createHash('sha1').update(seed).update(twice).digest()
  return Buffer.from(once.map((byte, index) => byte ^ (mask[index] ?? 0)))
}
