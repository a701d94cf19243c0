/** A mail server on loopback that keeps what it is given. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  to: string[]
  /** The lines of its headers, unfolded. */
  headers: string[]
  /** The whole of it, with quoted-printable decoded. */
  content: string
  /** Whether it came over TLS. */
  secure: boolean
  user: string | null | undefined
}

interface ReceiverOptions {
  port?: number
  /** Offers STARTTLS with this certificate, or speaks TLS from the beginning. */
  tls?: { certificate: string; key: string; fromStart?: boolean }
  /** The log-in that is asked for. */
  login?: { user: string; password: string }
  /** Answers a recipient: a code of SMTP, or nothing to take it. */
  refuse?: (attempt: number) => number | undefined
  /** Never greets. */
  silent?: boolean
}

export class SmtpReceiver {
  readonly mails: ReceivedMail[] = []
  /** Log-ins that were tried, as `user:password`. */
  readonly logins: string[] = []
  connections = 0
  recipients = 0
  private readonly server: SMTPServer

  private constructor(private readonly options: ReceiverOptions) {
    this.server = new SMTPServer(this.serverOptions())
    // Clients that give up are what some tests are about.
    this.server.on('error', () => undefined)
  }

  static async start(options: ReceiverOptions = {}): Promise<SmtpReceiver> {
    const receiver = new SmtpReceiver(options)
    receiver.server.listen(options.port ?? 0, '127.0.0.1')
    await once(receiver.server.server, 'listening')
    return receiver
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    await new Promise<void>((done) => this.server.close(() => done()))
  }

  private serverOptions(): SMTPServerOptions {
    const { tls, login, refuse, silent } = this.options
    return {
      secure: tls?.fromStart ?? false,
      ...(tls && { key: readFileSync(tls.key), cert: readFileSync(tls.certificate) }),
      hideSTARTTLS: !tls,
      authOptional: !login,
      allowInsecureAuth: true,
      closeTimeout: 100,
      onConnect: (_, done) => {
        this.connections++
        if (!silent) done()
      },
      onAuth: ({ username, password }, _, done) => {
        this.logins.push(`${username}:${password}`)
        const isRight = username === login?.user && password === login?.password
        if (isRight && username) done(null, { user: username })
        else done(new Error('wrong log-in'))
      },
      onRcptTo: (_, __, done) => {
        const responseCode = refuse?.(this.recipients++)
        done(responseCode ? Object.assign(new Error('refused'), { responseCode }) : null)
      },
      onData: (stream, { envelope, secure, user }, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString()
          const [head = ''] = raw.split('\r\n\r\n')
          this.mails.push({
            ...{ secure, user },
            to: envelope.rcptTo.map(({ address }) => address),
            headers: head.replace(/\r\n[ \t]+/g, ' ').split('\r\n'),
            content: decoded(raw),
          })
          done()
        })
      },
    }
  }
}

/** RFC 2045, section 6.7. */
function decoded(raw: string): string {
  const bytes = raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
