/** Looks at the certificate that a server shows. */
import { isIP } from 'node:net'
import { type PeerCertificate, connect } from 'node:tls'

export interface SeenCertificate {
  readonly until: Date
  readonly isSelfSigned: boolean
  /** Why this machine does not trust it; '' when it does. */
  readonly error: string
}

const patienceMs = 3_000

/** @returns null when there is no server, or none that shows one in time */
export async function certificateOf({ host, port }: { host: string; port: number }) {
  return new Promise<SeenCertificate | null>((resolve) => {
    const socket = connect({
      ...{ host, port },
      ...(isIP(host) === 0 && { servername: host }),
      // It is looked at, and nothing is sent over this connection.
      rejectUnauthorized: false,
    })
    const timer = setTimeout(() => socket.destroy(), patienceMs)
    socket.once('secureConnect', () => {
      const found = seen(socket.getPeerCertificate(), socket.authorizationError)
      socket.destroy()
      resolve(found)
    })
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(null)
    })
  })
}

function seen(certificate: PeerCertificate, refused: Error | string | null): SeenCertificate | null {
  if (!certificate.valid_to) return null
  const { subject, issuer, valid_to } = certificate
  return {
    until: new Date(valid_to),
    isSelfSigned: JSON.stringify(subject) === JSON.stringify(issuer),
    error: refused instanceof Error ? refused.message : (refused ?? ''),
  }
}
