/**
 * Leads from a socket in a folder to an address on the machine that this runs on: a namespace's network cannot be reached
 * from another, its folders can. Arguments: pairs of a socket's path and `host:port`.
 */
import { connect, createServer } from 'node:net'

const pairs = process.argv.slice(2)
for (let at = 0; at < pairs.length; at += 2) {
  const [host = '', port = ''] = (pairs[at + 1] ?? '').split(':')
  createServer((inside) => {
    const outside = connect(Number(port), host)
    inside.pipe(outside).pipe(inside)
    for (const [one, other] of [
      [inside, outside],
      [outside, inside],
    ]) {
      one?.on('error', () => other?.destroy())
      one?.on('close', () => other?.destroy())
    }
  }).listen(pairs[at])
}
