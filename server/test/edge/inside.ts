/** A part of ours that nobody of the world speaks to. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

export interface Inside {
  /** Of UDP and TCP. */
  readonly port: number
  /** All that came to it. */
  readonly heard: string[]
  close(): void
}

export async function openInside(host: string): Promise<Inside> {
  const heard: string[] = []
  const stream = createServer((socket) => socket.on('data', (chunk) => heard.push(chunk.toString())))
  stream.listen(0, host)
  await once(stream, 'listening')
  const { port } = stream.address() as { port: number }
  const datagrams = createSocket('udp4').on('message', (message) => heard.push(message.toString()))
  datagrams.bind(port, host)
  await once(datagrams, 'listening')
  const close = (): void => {
    stream.close()
    datagrams.close()
  }
  return { port, heard, close }
}
