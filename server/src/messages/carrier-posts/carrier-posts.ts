/** What carriers over HTTP post to us. They are answered once it is kept: what is not, they post again. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { UnreadablePostError, readPost, receiptsOf, textsOf } from '../../carriers/http/posts.js'
import type { HttpCarrierSecrets, HttpCarrierSettings } from '../../carriers/http/settings.js'
import type { InboundSegment, Receipt } from '../../carriers/link.js'
import { newId } from '../../database/ids.js'
import { badRequest, notFound, unauthorized } from '../../http/errors.js'
import { isSigned } from '../../http-client/signature.js'

/** A post as it came. */
export interface CarrierPost {
  readonly contentType: string
  readonly authorization: string
  /** The header `Jackfield-Signature`. */
  readonly signature: string
  readonly body: Buffer
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

  /** Takes texts. @throws 400, 401, 404 */
  async texts(carrierId: string, post: CarrierPost): Promise<void> {
    const { inbound } = await this.admit(carrierId, post)
    const texts = readable(() => textsOf(inbound, readPost(post.contentType, post.body)))
    const postId = newId('evt')
    for (const text of texts) await this.options.receive(carrierId, text, postId)
  }

  /** Takes receipts. @throws 400, 401, 404 */
  async receipts(carrierId: string, post: CarrierPost): Promise<void> {
    const { receipts } = await this.admit(carrierId, post)
    const read = readable(() => receiptsOf(receipts, readPost(post.contentType, post.body)))
    await Promise.all(read.map(async (receipt) => this.options.receipt(carrierId, receipt)))
  }

  private async admit(carrierId: string, post: CarrierPost): Promise<HttpCarrierSettings> {
    const carrier = await this.options.find(carrierId)
    if (!carrier) throw notFound('No such carrier')
    const { settings, secrets } = carrier
    const { inbound_secret: secret } = secrets
    const isTheirs =
      settings.inbound_auth === 'signature'
        ? isSigned(post.signature, post.body, secret, new Date())
        : isSame(shownSecret(post.authorization), secret)
    if (secret === '' || !isTheirs) throw unauthorized('The post is not signed by the carrier, or too old')
    return settings
  }
}

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
