/** Messages: sending and reading them. */
import { And, type EntityManager, LessThanOrEqual, MoreThanOrEqual } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { growingTotal } from '../../infrastructure/database/growing-totals.js'
import { type Idempotency, KeyReusedError } from '../../infrastructure/database/idempotency.js'
import { type Owner, WorkspaceTable } from '../../infrastructure/database/workspace-table.js'
import { conflict, notFound } from '../../infrastructure/http/errors.js'
import type { Page } from '../../infrastructure/http/lists.js'
import type { ContactNames } from '../contacts/contact-names.js'
import type { MessagePresenter, ShownMessage } from './message.presenter.js'
import { Message } from './message.entity.js'
import type { MessageQuery } from './message.schema.js'
import type {
  AcceptedMessage,
  NewMessage,
  OutboundMessages,
  PreparedMessage,
  Sender,
} from './outbound-messages.js'

/** Under which key, and for which request, something is sent once only. */
export interface Once {
  readonly key: string | undefined
  readonly request: unknown
}

/** A message beside the contact of its client, as lists show it. */
export interface ListedMessage extends ShownMessage {
  readonly client_name: string | null
  readonly contact_id: string | null
}

/** Further fields of a single message, which lists leave out. */
interface MessageDetail extends ListedMessage {
  readonly sent_at: string | null
  readonly carrier_message_id: string | null
}

interface Options {
  database: Database
  outbound: OutboundMessages
  presenter: MessagePresenter
  idempotency: Idempotency
  contacts: ContactNames
}

export class MessageService {
  private readonly table: WorkspaceTable<Message>

  constructor(private readonly options: Options) {
    this.table = new WorkspaceTable(options.database, Message)
  }

  /**
   * Accepts a message to a client; it is kept when this returns, and a carrier is given it as soon as may be.
   * @param key one message for all requests with it
   * @throws 400 naming what will not do, 403 for a country that may not be reached, 409 the key was used for another
   */
  async send(workspace: Owner, sender: Sender, input: NewMessage, key?: string): Promise<ShownMessage> {
    const prepare = async () => this.options.outbound.prepare(workspace, sender, input)
    return this.once(workspace, { key, request: input }, prepare, async (tx, { message }) =>
      this.shown(message, tx),
    )
  }

  /**
   * The same, with another answer than the message.
   * @param answer made in the transaction; must be JSON, as a repeated request gets the stored answer
   */
  async once<A>(
    workspace: Owner,
    { key, request }: Once,
    prepare: () => Promise<PreparedMessage>,
    answer: (tx: EntityManager, accepted: AcceptedMessage) => Promise<A>,
  ): Promise<A> {
    let prepared: PreparedMessage | undefined
    const work = async () => {
      const message = (prepared = await prepare())
      return async (tx: EntityManager) => answer(tx, await message.accept(tx))
    }
    try {
      const done = await this.options.idempotency.once(workspace, key, request, work)
      if (done.repeated) await prepared?.discard()
      return done.answer
    } catch (error) {
      await prepared?.discard()
      if (error instanceof KeyReusedError) throw conflict('This Idempotency-Key was used for another request')
      throw error
    }
  }

  async list(workspace: Owner, query: MessageQuery): Promise<Page<ListedMessage>> {
    const { direction, status, phone_number_id, from, to_date, search, ...request } = query
    const filters = [direction, status, phone_number_id, from, to_date, search]
    const { rows, total } = await this.table.list(workspace, {
      ...request,
      ...(!filters.some(Boolean) && {
        total: async () => growingTotal(this.options.database, 'messages', workspace.id),
      }),
      // Numbers are kept without their plus sign, which in a URL may also have become a space.
      ...(search && { search: search.replace(/^[+ ](?=\d)/, '') }),
      ...(isByText(query) && { index: 'messages_search' }),
      ...(search && {
        alsoFound: {
          column: 'client_number',
          values: await this.options.contacts.numbersNamed(workspace, search),
        },
      }),
      where: {
        ...(direction && { direction }),
        ...(status && { status }),
        ...(phone_number_id && { phone_number_id }),
        ...((from ?? to_date) && { created_at: between(from, to_date) }),
      },
    })
    return { rows: await this.listed(workspace, rows), total }
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<MessageDetail> {
    const message = await this.table.find(workspace, id)
    if (!message) throw notFound(`Message ${id} not found`)
    const [listed] = await this.listed(workspace, [message])
    if (!listed) throw new Error(`${message.id} was not presented`)
    return {
      ...listed,
      sent_at: message.sent_at?.toISOString() ?? null,
      carrier_message_id: message.carrier_message_id,
    }
  }

  private async listed(workspace: Owner, messages: readonly Message[]): Promise<ListedMessage[]> {
    const numbers = [...new Set(messages.map(({ client_number }) => client_number))]
    const [shown, contacts] = await Promise.all([
      this.options.presenter.present(messages),
      this.options.contacts.of(workspace, numbers),
    ])
    return shown.map((message, place) => {
      const contact = contacts.get(messages[place]?.client_number ?? '')
      return { ...message, client_name: contact?.name ?? null, contact_id: contact?.id ?? null }
    })
  }

  private async shown(message: Message, tx?: EntityManager): Promise<ShownMessage> {
    const [shown] = await this.options.presenter.present([message], tx)
    if (!shown) throw new Error(`${message.id} was not presented`)
    return shown
  }
}

/** Whether the index of texts leaves the least to read. */
function isByText({ search, status, phone_number_id }: MessageQuery): boolean {
  return Boolean(search) && !status && !phone_number_id
}

function between(from: string | undefined, to: string | undefined) {
  return And(
    ...(from === undefined ? [] : [MoreThanOrEqual(new Date(from))]),
    ...(to === undefined ? [] : [LessThanOrEqual(new Date(to))]),
  )
}
