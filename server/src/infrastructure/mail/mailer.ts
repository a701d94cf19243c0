/** Sends mail by SMTP, each over a connection of its own. */
import { createTransport } from 'nodemailer'
import { withTimeout } from '../../lib/with-timeout.js'

export interface MailSettings {
  /** The mail server; empty where none is configured. */
  host: string
  port: number
  /** How the connection is secured: by STARTTLS or not at all, by TLS from its beginning, or never. */
  security: 'starttls' | 'tls' | 'none'
  /** Empty where the server wants no log-in. */
  user: string
  password: string
  /** The sender: an address, or `Name <address>`. */
  from: string
}

export interface Attachment {
  filename: string
  /** The media type: `audio/wav`. */
  contentType: string
  content: Buffer
}

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  attachments?: Attachment[]
}

/** A mail that was not taken. */
export class MailError extends Error {
  constructor(
    message: string,
    /** Whether the server will never take it: it knows no such mailbox, for example. */
    readonly isFinal: boolean,
  ) {
    super(message)
  }
}

/** A silent server is given up after this, and one that is merely slow after the deadline. */
const silenceMs = 20_000
const deadlineMs = 60_000

export class Mailer {
  private readonly transport: ReturnType<typeof transportOf> | null
  private readonly closing = new AbortController()

  constructor(private readonly settings: MailSettings) {
    this.transport = settings.host ? transportOf(settings) : null
  }

  get isConfigured(): boolean {
    return this.transport !== null
  }

  /** Hands a mail to the server. @throws {MailError} */
  async send(mail: Mail): Promise<void> {
    const { transport } = this
    if (!transport) throw new MailError('no mail server is configured', true)
    try {
      await withTimeout(deadlineMs, this.closing.signal, async (signal) =>
        transport.sendMail({
          ...mail,
          // As an object: a text would be read as a list of addresses.
          to: { name: '', address: mail.to },
          from: this.settings.from,
          // RFC 3834: no automatic answers.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        }),
      )
    } catch (error) {
      throw mailErrorOf(error)
    }
  }

  /** Asks the server whether it would take our mail. @returns what it says against it; '' when it would */
  async refusal(): Promise<string> {
    if (!this.transport) return 'no mail server is configured'
    return this.transport.verify().then(
      () => '',
      (error: unknown) => mailErrorOf(error).message,
    )
  }

  /** Breaks off what is being sent. */
  close(): void {
    this.closing.abort()
  }
}

function transportOf({ host, port, security, user, password }: MailSettings) {
  return createTransport({
    ...{ host, port },
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user && { auth: { user, pass: password } }),
    ...{ connectionTimeout: silenceMs, greetingTimeout: silenceMs, socketTimeout: silenceMs },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
}

/** Says what the server said, and nothing of the mail. */
function mailErrorOf(error: unknown): MailError {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message?: string }
  // RFC 5321, section 4.2.1. A server that refuses our log-in may take it once that is mended.
  const isRefused = code === 'EENVELOPE' || code === 'EMESSAGE'
  return new MailError(message ?? 'the mail was not taken', isRefused && (responseCode ?? 0) >= 500)
}
