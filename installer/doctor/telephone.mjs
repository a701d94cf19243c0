/** A phone that answers one call, sends a tone and records what it receives: SIP over UDP (RFC 3261), PCMU (RFC 3551). */
import { randomBytes, randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { SAMPLES_A_PACKET, decoded, toneBytes } from './tones.mjs'

const PACKET_MS = 20
const PCMU = 0
/** One minute: more than any test call takes. */
const MOST_SAMPLES = 60 * 8000

/**
 * @typedef {object} Telephone
 * @property {number} port of its SIP
 * @property {() => number[]} heard samples at 8 kHz
 * @property {() => string} progress progress of the call, for messages
 * @property {() => Promise<void>} close
 */

/**
 * @param {object} options
 * @param {string} options.host address of this machine
 * @param {number} options.hz of the tone that it sends
 * @param {Record<string, string>} options.reach addresses that would need hairpinning, and their local addresses
 * @returns {Promise<Telephone>}
 */
export async function openTelephone({ host, hz, reach }) {
  const family = isIPv6(host) ? 'udp6' : 'udp4'
  const [sip, rtp] = [createSocket(family), createSocket(family)]
  const tag = randomBytes(4).toString('hex')
  /** @type {number[]} */
  const heard = []
  let progress = 'no call came'
  /** @type {NodeJS.Timeout | undefined} */
  let sending
  sip.bind(0, host)
  rtp.bind(0, host)
  await Promise.all([once(sip, 'listening'), once(rtp, 'listening')])

  rtp.on('message', (packet) => {
    if (packet.length > 12 && ((packet[1] ?? 0) & 0x7f) === PCMU && heard.length < MOST_SAMPLES)
      heard.push(...decoded(packet.subarray(12)))
  })
  sip.on('message', (message, { address, port }) => {
    const request = message.toString()
    const [method = ''] = request.split(' ', 1)
    if (method === 'ACK' || method.startsWith('SIP/')) return
    const isCall = method === 'INVITE'
    const body = isCall ? describe(host, rtp.address().port) : ''
    sip.send(answerTo(request, tag, `${bracketed(host)}:${sip.address().port}`, body), port, address)
    if (isCall && !sending) {
      progress = 'it was answered'
      sending = sendTone(rtp, hz, audioOf(request, reach))
    } else if (method === 'BYE') clearInterval(sending)
  })
  return {
    port: sip.address().port,
    heard: () => heard,
    progress: () => progress,
    close: async () => {
      clearInterval(sending)
      await Promise.all([sip, rtp].map((socket) => new Promise((done) => socket.close(() => done(null)))))
    },
  }
}

/**
 * @param {import('node:dgram').Socket} socket
 * @param {number} hz
 * @param {{host: string, port: number}} to
 */
function sendTone(socket, hz, to) {
  const header = Buffer.alloc(12)
  header[0] = 0x80
  header.writeUInt32BE(randomInt(2 ** 32), 8)
  let count = randomInt(2 ** 15)
  return setInterval(() => {
    count += 1
    header.writeUInt16BE(count % 2 ** 16, 2)
    header.writeUInt32BE((count * SAMPLES_A_PACKET) % 2 ** 32, 4)
    socket.send(Buffer.concat([header, toneBytes(hz, count * SAMPLES_A_PACKET)]), to.port, to.host)
  }, PACKET_MS)
}

/** Media address of an offer (RFC 8866). @param {string} invite @param {Record<string, string>} reach */
function audioOf(invite, reach) {
  const host = /^c=IN IP[46] (\S+)/m.exec(invite)?.[1] ?? ''
  return { host: reach[host] ?? host, port: Number(/^m=audio (\d+)/m.exec(invite)?.[1]) }
}

/** @param {string} host @param {number} port */
function describe(host, port) {
  const address = `IN IP${isIPv6(host) ? 6 : 4} ${host}`
  return [
    ...['v=0', `o=- 1 1 ${address}`, 's=doctor', `c=${address}`, 't=0 0', `m=audio ${port} RTP/AVP ${PCMU}`],
    ...['a=rtpmap:0 PCMU/8000', 'a=ptime:20', 'a=sendrecv', ''],
  ].join('\r\n')
}

/** @param {string} request @param {string} tag @param {string} contact @param {string} body */
function answerTo(request, tag, contact, body) {
  const kept = request
    .split('\r\n')
    .filter((line) => /^(Via|Record-Route|From|To|Call-ID|CSeq):/i.test(line))
    .map((line) => (/^To:/i.test(line) && !/;tag=/i.test(line) ? `${line};tag=${tag}` : line))
  const type = body ? ['Content-Type: application/sdp'] : []
  const more = [`Contact: <sip:doctor@${contact}>`, ...type, `Content-Length: ${Buffer.byteLength(body)}`]
  return ['SIP/2.0 200 OK', ...kept, ...more, '', body].join('\r\n')
}

/** @param {string} host */
const bracketed = (host) => (isIPv6(host) ? `[${host}]` : host)
