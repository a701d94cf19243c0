/** One side of a call that is up: requests inside of its dialog (RFC 3261, section 12). */
import { header, headers } from './sip-message.js'
import type { Answer, SipPhone } from './sip-phone.js'

export class SipDialog {
  private constructor(
    private readonly phone: SipPhone,
    private readonly target: string,
    private readonly lines: readonly string[],
    /** Of its INVITE, for the ACK. */
    private readonly inviteSequence: number,
  ) {}

  /** As the caller: from the answer to its INVITE. */
  static calling(phone: SipPhone, answer: Answer): SipDialog {
    return new SipDialog(
      phone,
      uriOf(header(answer, 'Contact')),
      [
        `From: ${header(answer, 'From') ?? ''}`,
        `To: ${header(answer, 'To') ?? ''}`,
        `Call-ID: ${header(answer, 'Call-ID') ?? ''}`,
        ...routesOf(answer.text).reverse(),
      ],
      Number(/^\d+/.exec(header(answer, 'CSeq') ?? '')?.[0]),
    )
  }

  /** As the called: from the INVITE that it answered. */
  static called(phone: SipPhone, invite: string): SipDialog {
    const of = (name: string): string => header({ text: invite }, name) ?? ''
    return new SipDialog(
      phone,
      uriOf(of('Contact')),
      [
        `From: ${of('To')};tag=${phone.tag}`,
        `To: ${of('From')}`,
        `Call-ID: ${of('Call-ID')}`,
        ...routesOf(invite),
      ],
      0,
    )
  }

  async acknowledge(): Promise<void> {
    await this.send('ACK', this.inviteSequence)
  }

  /** Sends a request and waits for its answer; a re-INVITE is acknowledged. */
  async request(method: string, extra: readonly string[] = [], body = ''): Promise<Answer> {
    const sequence = this.phone.nextSequence()
    const answer = await this.send(method, sequence, extra, body)
    if (method === 'INVITE' && answer.status < 300) await this.send('ACK', sequence)
    return answer
  }

  private async send(
    method: string,
    sequence: number,
    extra: readonly string[] = [],
    body = '',
  ): Promise<Answer> {
    return this.phone.transact(method, this.target, [
      ...this.lines,
      `CSeq: ${sequence} ${method}`,
      `Contact: <${this.phone.contact}>`,
      ...extra,
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ])
  }
}

function routesOf(text: string): string[] {
  return headers({ text }, 'Record-Route')
    .flatMap((value) => value.split(/,\s*/))
    .map((uri) => `Route: ${uri}`)
}

function uriOf(contact = ''): string {
  return /<([^>]+)>/.exec(contact)?.[1] ?? contact
}
