/**
 * An SMSC that does no more than to answer, each submission after the same time: a process of its own, asked over its
 * channel. Sequence numbers of answers stand for message ids.
 */
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { answerBit, bindTransceiver, pdu, pduReader, submitSm } from './pdu.js'

/** How long it takes to answer, in milliseconds; resets all counts. */
export interface SmscOrder {
  answerMs: number
}

/** What it has taken since. Times are in milliseconds. */
export interface SmscReport {
  port: number
  count: number
  first: number
  last: number
}

let answerMs = 0
let report = { count: 0, first: 0, last: 0 }
let ids = 0

/** Answers that are due in one go: timers of their own would cost more than all else. */
const tickMs = 2
let ticks: { at: number; socket: Socket; answer: Buffer }[] = []

setInterval(() => {
  const now = performance.now()
  let due = 0
  while (due < ticks.length && (ticks[due]?.at ?? Infinity) <= now) due += 1
  const answers = ticks.slice(0, due)
  ticks = ticks.slice(due)
  for (const { socket } of answers) socket.cork()
  for (const { socket, answer } of answers) socket.write(answer)
  for (const { socket } of answers) socket.uncork()
}, tickMs)

function taken(socket: Socket, sequence: number): void {
  const now = performance.timeOrigin + performance.now()
  report.first ||= now
  report.last = now
  report.count += 1
  ids += 1
  const answer = pdu(submitSm | answerBit, sequence, Buffer.from(`${ids}\0`))
  if (answerMs > 0) ticks.push({ at: performance.now() + answerMs, socket, answer })
  else socket.write(answer)
}

const server = createServer((socket) => {
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  const read = pduReader((command, sequence) => {
    if (command === submitSm) taken(socket, sequence)
    else if (command < answerBit) {
      const body = command === bindTransceiver ? Buffer.from('smsc\0') : Buffer.alloc(0)
      socket.write(pdu(command | answerBit, sequence, body))
    }
  })
  socket.on('data', (chunk) => {
    socket.cork()
    read(chunk)
    socket.uncork()
  })
})

const sendReport = () => {
  const { port } = server.address() as AddressInfo
  const current: SmscReport = { port, ...report }
  process.send?.(current)
}

server.listen(0, '127.0.0.1', sendReport)
process.on('message', (order: SmscOrder | 'report') => {
  if (order !== 'report') {
    answerMs = order.answerMs
    report = { count: 0, first: 0, last: 0 }
  }
  sendReport()
})
process.on('disconnect', () => process.exit(0))
