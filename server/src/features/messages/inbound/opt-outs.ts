/** Clients who have opted out of messages from one of our numbers: by a word such as STOP, or by the workspace. */
import type { EntityManager } from 'typeorm'
import { recordChange } from '../../../infrastructure/database/audit.js'
import { type Database, isDuplicate, isMissingReference } from '../../../infrastructure/database/database.js'
import { type Span, directionOf, pageOfRows } from '../../../infrastructure/database/paged.js'
import { insertRows } from '../../../infrastructure/database/rows.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { invalidField, notFound } from '../../../infrastructure/http/errors.js'
import type { ListRequest, Page } from '../../../infrastructure/http/lists.js'
import { type WorkspaceNumbers, notANumber } from '../../phone-numbers/workspace-numbers.js'
import { OptOut } from './opt-out.entity.js'
import type { OptOutInput, OptOutQuery } from './opt-out.schema.js'

/** The two parties of an opt-out; the client's number in digits. */
interface Pair {
  readonly phone_number_id: string
  readonly client_number: string
}

/** An opt-out, with the number that it is for. */
export interface ListedOptOut extends Pair {
  readonly workspace_id: string
  /** Digits. */
  readonly system_number: string
  readonly created_at: Date
}

const columns = `opt_out.phone_number_id, opt_out.client_number, opt_out.workspace_id, opt_out.created_at,
  number.number AS system_number`
const tables = 'opt_outs opt_out JOIN phone_numbers number ON number.id = opt_out.phone_number_id'

export class OptOuts {
  constructor(
    private readonly database: Database,
    private readonly numbers: WorkspaceNumbers,
  ) {}

  /** @param client digits */
  async has(tx: EntityManager, phoneNumberId: string, client: string): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      'SELECT 1 FROM opt_outs WHERE phone_number_id = ? AND client_number = ?',
      [phoneNumberId, client],
    )
    return rows.length > 0
  }

  /** @returns false when the client has opted out before */
  async add(tx: EntityManager, workspace: Owner, { phone_number_id, client_number }: Pair): Promise<boolean> {
    const optOut = { phone_number_id, client_number, workspace_id: workspace.id, created_at: new Date() }
    try {
      await insertRows(tx, OptOut, [optOut])
      return true
    } catch (error) {
      if (isDuplicate(error)) return false
      throw error
    }
  }

  /** Keeps that a client has opted out at the carrier, as its answer to a message to them says. */
  async learn(tx: EntityManager, message: Pair & { readonly workspace_id: string }): Promise<void> {
    const { workspace_id, phone_number_id, client_number } = message
    const workspace = { id: workspace_id }
    const pair = { phone_number_id, client_number }
    if (await this.add(tx, workspace, pair)) await recordChange(tx, changeOf('create', workspace, pair))
  }

  /** @returns false when the client had not opted out */
  async remove(tx: EntityManager, { phone_number_id, client_number }: Pair): Promise<boolean> {
    const { affectedRows } = await tx.query<{ affectedRows: number }>(
      'DELETE FROM opt_outs WHERE phone_number_id = ? AND client_number = ?',
      [phone_number_id, client_number],
    )
    return affectedRows === 1
  }

  /** `after` has an id as {@link cursorOf} makes it. */
  async list(workspace: Owner, query: OptOutQuery & Pick<ListRequest, 'after'>): Promise<Page<ListedOptOut>> {
    const { phone_number_id, from, to_date, search, sort_order, after } = query
    const conditions = ['opt_out.workspace_id = ?']
    const parameters: unknown[] = [workspace.id]
    if (phone_number_id) {
      conditions.push('opt_out.phone_number_id = ?')
      parameters.push(phone_number_id)
    }
    if (from !== undefined) {
      conditions.push('opt_out.created_at >= ?')
      parameters.push(new Date(from))
    }
    if (to_date !== undefined) {
      conditions.push('opt_out.created_at <= ?')
      parameters.push(new Date(to_date))
    }
    if (search) {
      const digits = search.replace(/\D/g, '')
      conditions.push(digits ? 'opt_out.client_number LIKE ?' : 'FALSE')
      if (digits) parameters.push(`%${digits}%`)
    }
    if (after) {
      conditions.push(
        `opt_out.created_at >= ? AND (opt_out.created_at, opt_out.phone_number_id, opt_out.client_number) > (?, ?, ?)`,
      )
      parameters.push(after.created_at, after.created_at, ...after.id.split(' '))
    }
    const found = `FROM ${tables} WHERE ${conditions.join(' AND ')}`
    const { source } = this.database
    const rows = async ({ limit, offset, isBackward }: Span) => {
      const order = directionOf(sort_order, { isBackward })
      return source.query<ListedOptOut[]>(
        `SELECT ${columns} ${found}
         ORDER BY opt_out.created_at ${order}, opt_out.phone_number_id ${order}, opt_out.client_number ${order}
         LIMIT ? OFFSET ?`,
        [...parameters, limit, offset],
      )
    }
    if (after) return { rows: await rows({ limit: query.limit, offset: 0, isBackward: false }), total: 0 }
    return pageOfRows(query, rows, async () => {
      const [counted] = await source.query<{ total: string }[]>(
        `SELECT COUNT(*) AS total ${found}`,
        parameters,
      )
      return Number(counted?.total)
    })
  }

  /** Brings the client's number to E.164. @throws 400 */
  async normalize(workspace: Owner, input: OptOutInput): Promise<void> {
    const digits = await this.numbers.digitsOf(workspace, input.client_number)
    if (digits === null) throw invalidField('client_number', notANumber('client_number'))
    input.client_number = `+${digits}`
  }

  /** Those of some pairs that have opted out, as keys and values. @param pairs with numbers in E.164 */
  async among(workspace: Owner, pairs: readonly Pair[]): Promise<Map<string, string>> {
    if (pairs.length === 0) return new Map()
    const rows = await this.database.source.query<Pair[]>(
      'SELECT phone_number_id, client_number FROM opt_outs WHERE workspace_id = ? AND client_number IN (?)',
      [workspace.id, pairs.map(({ client_number }) => client_number.slice(1))],
    )
    const keys = rows.map(({ phone_number_id, client_number }) => `${phone_number_id} +${client_number}`)
    return new Map(keys.map((key) => [key, key]))
  }

  /** Opts a client out on the workspace's word. What is there already stays as it is. @throws 400 */
  async create(workspace: Owner, input: OptOutInput): Promise<ListedOptOut> {
    const client_number = await this.numbers.digitsOf(workspace, input.client_number)
    if (client_number === null) {
      throw invalidField('client_number', notANumber('client_number'))
    }
    const pair = { phone_number_id: input.phone_number_id, client_number }
    const adding = this.database.transaction(async (tx) => {
      const numbers = await tx.query<unknown[]>(
        'SELECT 1 FROM phone_numbers WHERE workspace_id = ? AND id = ?',
        [workspace.id, pair.phone_number_id],
      )
      if (numbers.length === 0) throw noNumber()
      const isNew = await this.add(tx, workspace, pair)
      if (isNew) await recordChange(tx, changeOf('create', workspace, pair))
      return this.found(tx, workspace, pair)
    })
    return adding.catch((error: unknown) => {
      throw isMissingReference(error) ? noNumber() : error
    })
  }

  /** Takes an opt-out back on the workspace's word. @param client as it is written @throws 404 */
  async delete(workspace: Owner, phoneNumberId: string, client: string): Promise<ListedOptOut> {
    const client_number = await this.numbers.digitsOf(workspace, client)
    if (client_number === null) throw unknown(client)
    const pair = { phone_number_id: phoneNumberId, client_number }
    return this.database.transaction(async (tx) => {
      const optOut = await this.found(tx, workspace, pair)
      if (!(await this.remove(tx, pair))) throw unknown(client)
      await recordChange(tx, changeOf('delete', workspace, pair))
      return optOut
    })
  }

  /** @throws 404 */
  private async found(tx: EntityManager, workspace: Owner, pair: Pair): Promise<ListedOptOut> {
    const [row] = await tx.query<ListedOptOut[]>(
      `SELECT ${columns} FROM ${tables}
       WHERE opt_out.workspace_id = ? AND opt_out.phone_number_id = ? AND opt_out.client_number = ?`,
      [workspace.id, pair.phone_number_id, pair.client_number],
    )
    if (!row) throw unknown(`+${pair.client_number}`)
    return row
  }
}

/** The place of an opt-out in the order of creation. */
export function cursorOf({ created_at, phone_number_id, client_number }: ListedOptOut) {
  return { created_at, id: `${phone_number_id} ${client_number}` }
}

const noNumber = () => invalidField('phone_number_id', 'phone_number_id is not a number of this workspace')

const unknown = (client: string) => notFound(`${client} has not opted out of messages from this number`)

function changeOf(verb: 'create' | 'delete', workspace: Owner, { phone_number_id, client_number }: Pair) {
  return {
    workspace_id: workspace.id,
    action: `opt_out.${verb}`,
    target: { type: 'opt_out', id: phone_number_id, name: `+${client_number}` },
  }
}
