/** Requests to delete all data of a person: takes, stores and shows them; {@link ErasureRun} runs them. */
import { currentOrigin, recordChange } from '../../../infrastructure/database/audit.js'
import { type Database, afterCommit } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { addJob } from '../../../infrastructure/database/outbox.js'
import { type Owner, WorkspaceTable } from '../../../infrastructure/database/workspace-table.js'
import { Contact } from '../../contacts/contact.entity.js'
import { badRequest, invalidField, notFound } from '../../../infrastructure/http/errors.js'
import type { ListRequest, Page } from '../../../infrastructure/http/lists.js'
import { type WorkspaceNumbers, notANumber } from '../../phone-numbers/workspace-numbers.js'
import { Erasure } from './erasure.entity.js'
import type { CreateErasure } from './erasure.schema.js'
import { subOf } from '../../calls/model/client-address.js'
import { type Names, maskedClient, maskedNumber } from './masking.js'

/** The kind of outbox job that does one. */
export const erasureJob = 'erasure'

export interface ErasurePayload {
  erasure_id: string
}

interface Parts {
  database: Database
  numbers: WorkspaceNumbers
  wake: () => void
}

export class ErasureService {
  private readonly table: WorkspaceTable<Erasure>
  private readonly contacts: WorkspaceTable<Contact>

  constructor(private readonly parts: Parts) {
    this.table = new WorkspaceTable(parts.database, Erasure)
    this.contacts = new WorkspaceTable(parts.database, Contact)
  }

  /** Takes a request; it is kept when this returns. @throws 400 for no number, or both; 404 unknown contact */
  async create(workspace: Owner, input: CreateErasure): Promise<Erasure> {
    const { numbers, clients, contacts } = await this.subjectOf(workspace, input)
    const { kind, id: actorId } = currentOrigin()
    const erasure: Erasure = {
      ...{ id: newId('ers'), workspace_id: workspace.id, status: 'pending', numbers, clients, contacts },
      label: [...numbers.map(maskedNumber), ...clients.map(maskedClient)].join(', ').slice(0, 254),
      ...{ deleted: {}, waiting_for: {}, requested_by_kind: kind, requested_by_id: actorId },
      ...{ created_at: new Date(), started_at: null, ended_at: null },
    }
    await this.parts.database.transaction(async (tx) => {
      await this.table.in(tx).insert(erasure)
      const payload: ErasurePayload = { erasure_id: erasure.id }
      const job = { id: newId('job'), kind: erasureJob, workspace_id: workspace.id, payload }
      await addJob(tx, { ...job, created_at: new Date() })
      await recordChange(tx, {
        workspace_id: workspace.id,
        action: 'erasure.create',
        target: { type: 'erasure', id: erasure.id, name: erasure.label },
      })
      afterCommit(tx, this.parts.wake)
    })
    return erasure
  }

  async list(workspace: Owner, request: ListRequest): Promise<Page<Erasure>> {
    return this.table.list(workspace, request)
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<Erasure> {
    const erasure = await this.table.find(workspace, id)
    if (!erasure) throw notFound(`Erasure ${id} not found`)
    return erasure
  }

  private async subjectOf(
    workspace: Owner,
    { number, contact_id }: CreateErasure,
  ): Promise<Names & { numbers: string[]; clients: string[]; contacts: string[] }> {
    if ((number === undefined) === (contact_id === undefined))
      throw badRequest('Send either number or contact_id')
    if (contact_id !== undefined) {
      const contact = await this.contacts.find(workspace, contact_id)
      if (!contact) throw notFound(`Contact ${contact_id} not found`)
      const numbers = contact.numbers.map((one) => one.slice(1))
      await this.refuseOwn(workspace, 'contact_id', numbers)
      return { numbers, clients: [], contacts: [contact.id] }
    }
    const sub = subOf(number ?? '')
    if (sub !== null) return { numbers: [], clients: [sub], contacts: [] }
    const digits = await this.parts.numbers.digitsOf(workspace, number ?? '')
    if (digits === null) throw invalidField('number', notANumber('number'))
    await this.refuseOwn(workspace, 'number', [digits])
    return { numbers: [digits], clients: [], contacts: [] }
  }

  /** All calls and messages of the workspace are over its own numbers. @throws 400 */
  private async refuseOwn(workspace: Owner, field: string, numbers: readonly string[]): Promise<void> {
    const own = await this.parts.database.source.query<{ number: string }[]>(
      'SELECT number FROM phone_numbers WHERE workspace_id = ? AND number IN (?)',
      [workspace.id, numbers],
    )
    const [first] = own
    if (first) throw invalidField(field, `${field} is of +${first.number}, a number of this workspace`)
  }
}
