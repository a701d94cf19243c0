/**
 * Names and short codes that numbers send texts as. The operator says which, as any sender can claim a name. Texts for a
 * short code come to its number.
 */
import type { EntityManager } from 'typeorm'
import { recordChange } from '../../../infrastructure/database/audit.js'
import { type Database, isDuplicate } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { conflict } from '../../../infrastructure/http/errors.js'
import type { PhoneNumberService } from '../../phone-numbers/phone-number.service.js'

/** Up to 11 characters of the GSM-7 alphabet that are no number (3GPP TS 23.040, 9.1.2.5), or a short code. */
export const originatorPattern = "([0-9]{3,6}|[0-9 &'._-]{0,10}[A-Za-z][A-Za-z0-9 &'._-]{0,10})"

const wholeOriginator = new RegExp(`^${originatorPattern}$`)

export function isOriginator(text: string): boolean {
  return text.length <= 11 && text === text.trim() && wholeOriginator.test(text)
}

interface Row {
  originator: string
  phone_number_id: string
}

export class Originators {
  constructor(
    private readonly database: Database,
    private readonly phoneNumbers: PhoneNumberService,
  ) {}

  /** In the order of the alphabet. @throws 404 unknown number */
  async of(workspace: Owner, numberId: string): Promise<string[]> {
    const { id } = await this.phoneNumbers.get(workspace, numberId)
    return this.among(this.database.source.manager, workspace, id)
  }

  /** Which number of a workspace sends as this, and how the operator writes it. */
  async find(workspace: Owner, text: string): Promise<Row | null> {
    const [row] = await this.database.source.query<Row[]>(
      'SELECT originator, phone_number_id FROM number_originators WHERE workspace_id = ? AND originator = ?',
      [workspace.id, text],
    )
    return row ?? null
  }

  /** Gives a number these and no others. @throws 404 unknown number, 409 another number has one of them */
  async assign(workspace: Owner, numberId: string, originators: readonly string[]): Promise<string[]> {
    const number = await this.phoneNumbers.get(workspace, numberId)
    return this.database.transaction(async (tx) => {
      const before = await this.among(tx, workspace, number.id)
      await tx.query('DELETE FROM number_originators WHERE workspace_id = ? AND phone_number_id = ?', [
        workspace.id,
        number.id,
      ])
      for (const originator of originators) await this.insert(tx, workspace, number.id, originator)
      const after = await this.among(tx, workspace, number.id)
      if (before.join('\n') !== after.join('\n')) {
        await recordChange(tx, {
          workspace_id: workspace.id,
          action: 'phone_number.update',
          target: { type: 'phone_number', id: number.id, name: number.title },
          changes: { originators: { from: before, to: after } },
        })
      }
      return after
    })
  }

  private async insert(
    tx: EntityManager,
    { id }: Owner,
    numberId: string,
    originator: string,
  ): Promise<void> {
    try {
      await tx.query('INSERT INTO number_originators VALUES (?, ?, ?, ?)', [
        originator,
        id,
        numberId,
        new Date(),
      ])
    } catch (error) {
      throw isDuplicate(error) ? conflict(`Another number sends as ${originator} already`) : error
    }
  }

  private async among(tx: EntityManager, { id }: Owner, numberId: string): Promise<string[]> {
    const rows = await tx.query<Row[]>(
      'SELECT originator FROM number_originators WHERE workspace_id = ? AND phone_number_id = ? ORDER BY originator',
      [id, numberId],
    )
    return rows.map(({ originator }) => originator)
  }
}
