/** Requests that come on one connection before those before them are answered (RFC 9112, section 9.3.2). */
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Answers the requests of a connection one after the other: what one connection costs does not grow with what it asks for
 * and never reads. Node begins with all that came in one piece, hundreds of them.
 * @param maxWaiting more that wait end the connection; who asks again over another one loses nothing
 */
export function inTurn(maxWaiting: number, listener: RequestListener): RequestListener {
  /** Of connections on which a request is being answered: what is to follow. */
  const waiting = new WeakMap<Socket, (() => void)[]>()
  return (request, response) => {
    const { socket } = request
    const answer = () => {
      response.once('close', () => {
        const next = socket.destroyed ? undefined : waiting.get(socket)?.shift()
        if (next) next()
        else waiting.delete(socket)
      })
      listener(request, response)
    }
    const others = waiting.get(socket)
    if (!others) {
      waiting.set(socket, [])
      answer()
    } else if (others.length < maxWaiting) others.push(answer)
    else socket.destroy()
  }
}
