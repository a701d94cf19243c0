/** What carriers over HTTP post to us. They are answered once it is kept: what is not, they post again. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { UnreadablePostError, readPost, receiptsOf, textsOf } from '../../carriers/http/posts.js'
import type { HttpCarrierSecrets, HttpCarrierSettings } from '../../carriers/http/settings.js'
import { type InboundSegment, type Receipt, UnreadableNumberError } from '../../carriers/link.js'
import { newId } from '../../database/ids.js'
import { badRequest, notFound, unauthorized } from '../../http/errors.js'
import { isFresh, isSigned } from '../../http-client/signature.js'

/** What a post says of its sender before its body. */
interface PostHead {
  readonly authorization: string
  /** The header `Jackfield-Signature`. */
  readonly signature: string
}

interface HttpCarrier {
  readonly settings: HttpCarrierSettings
  readonly secrets: Pick<HttpCarrierSecrets, 'inbound_secret'>
}

interface Options {
  /** A carrier over HTTP from which something is taken; null when there is none. */
  find: (id: string) => Promise<HttpCarrier | null>
  /** Returns once the text is kept. @param postId the same for the texts of one post */
  receive: (carrierId: string, text: InboundSegment, postId: string) => Promise<void>
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

  /** Takes texts. @throws 400 */
  async texts({ carrierId, settings }: Admitted, contentType: string, body: Buffer): Promise<void> {
    const { inbound, country, inbound_number_format, inbound_number_prefix } = settings
    const numbers = { country, inbound_number_format, inbound_number_prefix }
    const texts = readable(() => textsOf(inbound, readPost(contentType, body), numbers))
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

  /** Takes receipts. @throws 400 */
  async receipts({ carrierId, settings }: Admitted, contentType: string, body: Buffer): Promise<void> {
    const read = readable(() => receiptsOf(settings.receipts, readPost(contentType, body)))
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
    const mayBe = this.isSigned
      ? isFresh(head.signature, new Date())
      : isSame(shownSecret(head.authorization), secret)
    if (secret === '' || !mayBe) throw notTheirs()
  }

  /** @throws 401 where the body is not the one that the carrier signed */
  check(body: Buffer): void {
    const { inbound_secret: secret } = this.carrier.secrets
    if (this.isSigned && !isSigned(this.head.signature, body, secret, new Date())) throw notTheirs()
  }

  private get isSigned(): boolean {
    return this.settings.inbound_auth === 'signature'
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
