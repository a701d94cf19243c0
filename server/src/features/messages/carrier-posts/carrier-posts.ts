/** Posts of HTTP carriers. The answer follows the commit: without a positive answer, carriers post again. */
import { createHash, timingSafeEqual } from 'node:crypto'
import {
  UnreadablePostError,
  hasKnownStatus,
  hasTexts,
  kindOf,
  readPost,
  receiptsOf,
  textsOf,
} from '../../../adapters/sms/kinds/http/posts.js'
import type { HttpCarrierSecrets, HttpCarrierSettings } from '../../../adapters/sms/kinds/http/settings.js'
import { type InboundSegment, type Receipt, UnreadableNumberError } from '../../../adapters/sms/link.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { badRequest, notFound, unauthorized } from '../../../infrastructure/http/errors.js'
import { isFresh, isSigned } from '../../../infrastructure/http-client/signature.js'
import { isAboutNow, isSignedByTelnyx, isSignedByTwilio } from './carrier-signatures.js'

/** Credentials of a post, before its body is read. */
interface PostHead {
  readonly authorization: string
  /** The header `Jackfield-Signature`. */
  readonly signature: string
  /** The header `X-Twilio-Signature`. */
  readonly twilio: string
  /** The headers `telnyx-signature-ed25519` and `telnyx-timestamp`. */
  readonly telnyx: { readonly signature: string; readonly timestamp: string }
  readonly host: string
  /** Path and query, as they were sent. */
  readonly path: string
  /** `token` of the query; '' without. */
  readonly token: string
}

/** A request of a carrier, by POST or GET. */
export interface Post {
  /** The kind of data for which the URL is; some carriers have one for both. */
  readonly at: 'inbound' | 'receipts'
  readonly contentType: string
  /** Without its question mark. */
  readonly query: string
  readonly body: Buffer
}

interface HttpCarrier {
  readonly settings: HttpCarrierSettings
  readonly secrets: Pick<HttpCarrierSecrets, 'inbound_secret'>
}

interface Options {
  /** An active HTTP carrier; null if there is none with this id. */
  find: (id: string) => Promise<HttpCarrier | null>
  /** Returns once the text is stored. @param postId the same for the texts of one post */
  receive: (carrierId: string, text: InboundSegment, postId: string) => Promise<void>
  /** Whether one of our numbers sends over this carrier: what it has sent is not a client's text. */
  sends: (carrierId: string, number: string) => Promise<boolean>
  /** Whether a receipt names a message that a carrier has taken. */
  names: (carrierId: string, receipt: Receipt) => Promise<boolean>
  /** Returns once the receipt is kept. */
  receipt: (carrierId: string, receipt: Receipt) => Promise<void>
}

export class CarrierPosts {
  constructor(private readonly options: Options) {}

  /** @throws 404 where there is no such carrier */
  async find(carrierId: string): Promise<{ admit: (head: PostHead) => Admitted }> {
    const carrier = await this.options.find(carrierId)
    if (!carrier) throw notFound('No such carrier')
    return { admit: (head) => new Admitted(carrierId, carrier, head) }
  }

  /** Takes texts or receipts, on whichever URL they come. @throws 400 */
  async take(carrier: Admitted, post: Post): Promise<void> {
    const query = carrier.signsQuery ? post.query : ''
    const document = readable(() => readPost({ ...post, query, mapping: carrier.settings.inbound }))
    const kind = kindOf(carrier.settings.kinds, document) ?? (await this.guessed(carrier, post, document))
    await (kind === 'text' ? this.texts(carrier, document) : this.receipts(carrier, document))
  }

  /** Detects the kind of a post by its content; the URL decides if it could be both. */
  private async guessed(
    { carrierId, settings }: Admitted,
    { at }: Post,
    document: unknown,
  ): Promise<'text' | 'receipt'> {
    const { inbound, receipts } = settings
    const isReceipt = hasKnownStatus(receipts, document)
    if (at === 'receipts') return !isReceipt && hasTexts(inbound, document) ? 'text' : 'receipt'
    if (!isReceipt) return 'text'
    const [receipt] = readable(() => receiptsOf(receipts, document))
    if (receipt && (await this.options.names(carrierId, receipt))) return 'receipt'
    if (!hasTexts(inbound, document)) return 'receipt'
    const [text] = readable(() => textsOf(inbound, document))
    return text && (await this.options.sends(carrierId, text.from)) ? 'receipt' : 'text'
  }

  /** @throws 400 */
  private async texts({ carrierId, settings }: Admitted, document: unknown): Promise<void> {
    const { inbound, country, inbound_number_format, inbound_number_prefix } = settings
    const numbers = { country, inbound_number_format, inbound_number_prefix }
    const texts = readable(() => textsOf(inbound, document, numbers))
    const postId = newId('evt')
    const unreadable: string[] = []
    for (const text of texts) {
      await this.options.receive(carrierId, text, postId).catch((error: unknown) => {
        if (!(error instanceof UnreadableNumberError)) throw error
        unreadable.push(error.message)
      })
    }
    // The others are kept, and known if they come again.
    if (unreadable.length > 0) throw badRequest(`to: ${unreadable.slice(0, 10).join('; ')}`)
  }

  /** @throws 400 */
  private async receipts({ carrierId, settings }: Admitted, document: unknown): Promise<void> {
    const read = readable(() => receiptsOf(settings.receipts, document, settings.refusals))
    await Promise.all(read.map(async (receipt) => this.options.receipt(carrierId, receipt)))
  }
}

/** A carrier that may have sent a post, as far as can be said before its body is read. */
export class Admitted {
  readonly settings: HttpCarrierSettings

  /** @throws 401 where it cannot be the carrier's, whatever its body */
  constructor(
    readonly carrierId: string,
    private readonly carrier: HttpCarrier,
    private readonly head: PostHead,
  ) {
    this.settings = carrier.settings
    const { inbound_secret: secret } = carrier.secrets
    if (secret === '' || !this.mayBe(secret)) throw notTheirs()
  }

  /** Whether the query is as much the carrier's as the body: two of the signatures cover the body alone. */
  get signsQuery(): boolean {
    const { inbound_auth } = this.settings
    return inbound_auth === 'token' || inbound_auth === 'twilio'
  }

  /** @throws 401 if the signature does not match the body */
  check(contentType: string, body: Buffer): void {
    const { inbound_secret: secret } = this.carrier.secrets
    if (!this.isTheirs(secret, contentType, body)) throw notTheirs()
  }

  private mayBe(secret: string): boolean {
    const { signature, telnyx, twilio, token, authorization } = this.head
    switch (this.settings.inbound_auth) {
      case 'signature':
        return isFresh(signature, new Date())
      case 'telnyx':
        return telnyx.signature !== '' && isAboutNow(telnyx.timestamp, new Date())
      case 'twilio':
        return twilio !== ''
      default:
        return [token, shownSecret(authorization)].some((given) => isSame(given, secret))
    }
  }

  private isTheirs(secret: string, contentType: string, body: Buffer): boolean {
    const { signature, telnyx, twilio, host, path } = this.head
    switch (this.settings.inbound_auth) {
      case 'signature':
        return isSigned(signature, body, secret, new Date())
      case 'telnyx':
        return isSignedByTelnyx(telnyx, body, secret, new Date())
      case 'twilio':
        return isSignedByTwilio(twilio, { host, path, contentType, body }, secret)
      default:
        return true
    }
  }
}

const notTheirs = () => unauthorized('The post is not signed by the carrier, or too old')

/** A Bearer token, or the password of Basic (RFC 7617), whatever the user. */
function shownSecret(authorization: string): string {
  const [, scheme = '', value = ''] = /^(\S+) +(\S+)$/.exec(authorization) ?? []
  if (scheme.toLowerCase() === 'bearer') return value
  if (scheme.toLowerCase() !== 'basic') return ''
  return Buffer.from(value, 'base64')
    .toString()
    .replace(/^[^:]*:/, '')
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof UnreadablePostError ? badRequest(error.message) : error
  }
}
