/**
 * What the server is compared with: node:http and nothing else. Every client gets a stream; what is posted is
 * written to all.
 */
import { type ServerResponse, createServer } from 'node:http'

const streams = new Set<ServerResponse>()
let count = 0

createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write('retry: 1000\n\n')
    streams.add(response)
    response.once('close', () => streams.delete(response))
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.end()
    const given = JSON.parse(Buffer.concat(chunks).toString()) as { event: string }
    const data = JSON.stringify({ ...given, timestamp: new Date().toISOString() })
    const frame = Buffer.from(`id: ${++count}\nevent: ${given.event}\ndata: ${data}\n\n`)
    for (const stream of streams) stream.write(frame)
  })
}).listen(Number(process.env['BENCH_PORT']), '127.0.0.1', () => process.send?.('listening'))
