/** A link to the SMSC of the tests, and somebody who holds it. */
import { pino } from 'pino'
import type {
  InboundSegment,
  LinkHealth,
  LinkHolder,
  OutboundText,
  Receipt,
} from '../../src/adapters/sms/link.js'
import { SMPP_DEFAULTS, type SmppSettings } from '../../src/adapters/sms/kinds/smpp/settings.js'
import { SmppLink } from '../../src/adapters/sms/kinds/smpp/smpp-link.js'
import { encodingOf } from '../../src/adapters/sms/text/segments.js'
import { Smsc, type SmscBehaviour } from '../support/smsc.js'

export const ours = '12025550100'
export const handset = '12025550177'

/** Keeps what it is told, in the order in which it was told. */
export class RecordingHolder implements LinkHolder {
  readonly segments: InboundSegment[] = []
  readonly receipts: Receipt[] = []
  readonly healths: LinkHealth[] = []
  /** What comes in waits for this. */
  keeping: Promise<void> = Promise.resolve()
  refusing = false

  async receive(segment: InboundSegment): Promise<void> {
    await this.ready()
    this.segments.push(segment)
  }

  async receipt(receipt: Receipt): Promise<void> {
    await this.ready()
    this.receipts.push(receipt)
  }

  changed(health: LinkHealth): void {
    this.healths.push(health)
  }

  private async ready(): Promise<void> {
    if (this.refusing) throw new Error('the database is away')
    await this.keeping
  }
}

/** One SMSC, and links to it, which `end()` ends. */
export class SmppWorld {
  readonly holder = new RecordingHolder()
  private readonly links: SmppLink[] = []

  private constructor(readonly smsc: Smsc) {}

  static async start(behaviour: Partial<SmscBehaviour> = {}): Promise<SmppWorld> {
    return new SmppWorld(await Smsc.start(behaviour))
  }

  /** A link that retries fast. */
  link(settings: Partial<SmppSettings> = {}): SmppLink {
    const link = new SmppLink(
      {
        ...SMPP_DEFAULTS,
        ...{ host: '127.0.0.1', port: this.smsc.port, system_id: 'jackfield', password: 'secret' },
        ...settings,
      },
      this.holder,
      pino({ level: 'silent' }),
      { firstRetryMs: 50, lastRetryMs: 200 },
    )
    this.links.push(link)
    link.start()
    return link
  }

  /** A link that is up. */
  async bound(settings: Partial<SmppSettings> = {}): Promise<SmppLink> {
    const link = this.link(settings)
    await this.smsc.until('bind', () => link.health.state === 'up')
    return link
  }

  async end(): Promise<void> {
    await Promise.all(this.links.map(async (link) => link.stop()))
    await this.smsc.stop()
  }
}

let messages = 0

export function text(body: string, to = handset): OutboundText {
  return { id: `msg_${++messages}`, from: ours, to, body, encoding: encodingOf(body), media: [] }
}

/** Submits all of a message. @returns the ids */
export async function submitAll(link: SmppLink, message: OutboundText): Promise<(string | null)[]> {
  return Promise.all(link.segmentsOf(message).map(async (segment) => link.submit(segment)))
}
