/**
 * `node floating.mjs <host:port> <host:port>…`: listens at the first address, as one that moves from a dead machine to one
 * that lives does. Connections go to the first of the others that takes them; all go to one of them at any time.
 */
import { connect, createServer } from 'node:net'

const [own = '', ...nodes] = process.argv.slice(2)
const CONNECT_MS = 1_000

let current = 0

/** @param {string} address */
const partsOf = (address) => {
  const [host = '', port = ''] = address.split(':')
  return { host, port: Number(port) }
}

/** @param {import('node:net').Socket} near @param {number} [tried] */
function relay(near, tried = 0) {
  const index = current
  const far = connect({ ...partsOf(nodes[index] ?? ''), timeout: CONNECT_MS })
  let isOpen = false
  const next = () => {
    if (isOpen) return void near.destroy()
    far.destroy()
    // Somebody else may have found that out before.
    if (index === current) current = (current + 1) % nodes.length
    if (tried + 1 < nodes.length) relay(near, tried + 1)
    else near.destroy()
  }
  far.once('connect', () => {
    isOpen = true
    far.setTimeout(0).setNoDelay(true)
    near.pipe(far)
    far.pipe(near)
  })
  far.once('timeout', next).once('error', next)
  near.once('close', () => far.destroy())
  far.once('close', () => isOpen && near.destroy())
}

createServer((near) => relay(near.setNoDelay(true).on('error', () => near.destroy()))).listen(partsOf(own))
