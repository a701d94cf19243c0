/** Connections to SMSCs: TCP, or TLS from the first byte. */
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { SmppSettings } from './settings.js'

/**
 * Connects, and for TLS checks the SMSC's certificate.
 * @throws {Error} why there is no connection: refused, no such name, late, a certificate that is not trusted
 */
export async function connect(
  settings: SmppSettings,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  const { host, port } = settings
  const socket = settings.tls ? overTls(settings) : connectTcp({ host, port })
  const connected = settings.tls ? 'secureConnect' : 'connect'
  return new Promise((resolve, reject) => {
    const end = (error?: Error): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.off(connected, onConnect).off('close', onClose)
      if (!error) {
        socket.off('error', end)
        resolve(socket)
        return
      }
      // Its error handler stays: a destroyed socket may still emit an error.
      socket.destroy()
      reject(error)
    }
    const onConnect = () => end()
    const onClose = () => end(new Error('the SMSC closed the connection'))
    const onAbort = () => end(new Error('stopped'))
    const timer = setTimeout(() => end(new Error(`no connection within ${deadlineMs / 1000} s`)), deadlineMs)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once(connected, onConnect).on('error', end).once('close', onClose)
    if (signal.aborted) onAbort()
  })
}

function overTls({ host, port, tls_ca, tls_server_name }: SmppSettings): Socket {
  const servername = tls_server_name || (isIP(host) ? '' : host)
  return connectTls({
    host,
    port,
    minVersion: 'TLSv1.2',
    // with an empty name its certificate must have the address
    ...(servername ? { servername } : {}),
    ...(tls_ca ? { ca: tls_ca } : {}),
  })
}
