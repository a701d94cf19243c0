/** Workspaces' settings of messages: further words to opt out, and replies to them. */
import type { EntityManager } from 'typeorm'
import { differences, recordChange } from '../../../infrastructure/database/audit.js'
import type { Database } from '../../../infrastructure/database/database.js'
import { entityOf } from '../../../infrastructure/database/rows.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { ValidationError } from '../../../infrastructure/http/errors.js'
import { optOutMeanings, tokensOf } from '../inbound/opt-out-words.js'
import { MessageSettingsRow } from './message-settings.entity.js'
import type { MessageSettings, UpdateMessageSettings } from './message-settings.schema.js'

const unset: MessageSettings = {
  ...{ stop_words: [], start_words: [], help_words: [] },
  ...{ stop_reply: null, start_reply: null, help_reply: null },
  replace_look_alikes: false,
}
const names = Object.keys(unset) as (keyof MessageSettings)[]

export class MessageSettingsService {
  constructor(private readonly database: Database) {}

  async get(workspace: Owner, tx: EntityManager = this.database.source.manager): Promise<MessageSettings> {
    return read(tx, workspace, '')
  }

  /** Settings that are not sent do not change. @throws 400 naming a word that cannot be one */
  async update(
    workspace: Owner & { readonly title: string },
    changes: UpdateMessageSettings,
  ): Promise<MessageSettings> {
    return this.database.transaction(async (tx) => {
      await tx.query(
        `INSERT IGNORE INTO message_settings (workspace_id, stop_words, start_words, help_words, updated_at)
         VALUES (?, '[]', '[]', '[]', ?)`,
        [workspace.id, new Date()],
      )
      const before = await read(tx, workspace, 'FOR UPDATE')
      const after = { ...before, ...changes }
      check(after)
      await tx.update(MessageSettingsRow, workspace.id, { ...after, updated_at: new Date() })
      const changed = differences(before, after, [])
      if (Object.keys(changed).length > 0) {
        await recordChange(tx, {
          workspace_id: workspace.id,
          action: 'workspace.update',
          target: { type: 'workspace', id: workspace.id, name: workspace.title },
          changes: changed,
        })
      }
      return after
    })
  }
}

async function read(tx: EntityManager, { id }: Owner, lock: '' | 'FOR UPDATE'): Promise<MessageSettings> {
  const [found] = await tx.query<Record<string, unknown>[]>(
    `SELECT * FROM message_settings WHERE workspace_id = ? ${lock}`,
    [id],
  )
  if (!found) return unset
  const row = entityOf(tx, MessageSettingsRow, found)
  return Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as MessageSettings
}

/** A word must have something to be known by, and one meaning. */
function check(settings: MessageSettings): void {
  const meant = new Map<string, string>()
  const problems = optOutMeanings.flatMap((meaning) => {
    const list = `${meaning}_words` as const
    return settings[list].flatMap((word, index) => {
      const field = `${list}.${index}`
      const known = tokensOf(word).join('')
      const other = meant.get(known)
      meant.set(known, list)
      if (known === '') return [{ field, messages: [`${field} must have a letter or a digit`] }]
      if (other !== undefined && other !== list) {
        return [{ field, messages: [`${field} must not be in ${other} as well`] }]
      }
      return []
    })
  })
  if (problems.length > 0) throw new ValidationError(problems)
}
