/** Whether a switch can still be reached: it answers SIP OPTIONS (RFC 3261, 11), whatever it says. */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'

const everyMs = 300
const deadlineMs = 1_500

/** @param address `host:port` of its SIP over UDP; '' is never reached */
export async function answersSip(address: string): Promise<boolean> {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(address) ?? []
  if (!host || !port) return false
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  return new Promise<boolean>((resolve) => {
    let again: NodeJS.Timeout | undefined
    let isDone = false
    const done = (isReached: boolean) => {
      if (isDone) return
      isDone = true
      clearInterval(again)
      clearTimeout(deadline)
      socket.close()
      resolve(isReached)
    }
    const ask = () => {
      const local = socket.address()
      socket.send(optionsOf(`${host}:${port}`, `${local.address}:${local.port}`))
    }
    const deadline = setTimeout(() => done(false), deadlineMs)
    // If the port is closed, the kernel reports it; a machine that is off sends nothing.
    socket.on('error', () => done(false))
    socket.once('message', () => done(true))
    // Without a route Node.js calls this callback, and emits no event.
    socket.connect(Number(port), host.replace(/^\[|\]$/g, ''), (error?: Error) => {
      if (error) done(false)
      if (isDone) return
      ask()
      again = setInterval(ask, everyMs)
    })
  })
}

function optionsOf(to: string, from: string): string {
  const id = randomBytes(8).toString('hex')
  return [
    `OPTIONS sip:${to} SIP/2.0`,
    `Via: SIP/2.0/UDP ${from};branch=z9hG4bK${id};rport`,
    'Max-Forwards: 1',
    `From: <sip:jackfield@${from}>;tag=${id}`,
    `To: <sip:${to}>`,
    `Call-ID: ${id}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n')
}
