/** Handles inbound messages that are one of the words of {@link optOutWordOf}. */
import type { EntityManager } from 'typeorm'
import { internationalNumber, shownNumber } from '../../../lib/numbering/e164.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { Message } from '../message.entity.js'
import type { OptOutReplies } from './opt-out-replies.js'
import type { MessageSettingsService } from '../settings/message-settings.js'
import {
  type OptOutWord,
  type OptOutWords,
  longestOptOut,
  optOutWordOf,
  optOutWords,
} from './opt-out-words.js'
import type { OptOuts } from './opt-outs.js'

/** Help is sent at most once in this time, so that two machines do not answer each other for ever. */
const helpPauseMs = 60_000

/** Messages of the last minute that are looked at. */
const lookedAt = 100

export class OptOutKeeper {
  constructor(
    private readonly optOuts: OptOuts,
    private readonly replies: Pick<OptOutReplies, 'add'>,
    private readonly settings: Pick<MessageSettingsService, 'get'>,
  ) {}

  /** @param message inbound, and written by the transaction, which has locked its conversation */
  async heed(tx: EntityManager, message: Message, number: Pick<PhoneNumber, 'country_code'>): Promise<void> {
    const client = shownNumber(message.client_number)
    if (message.body.length > longestOptOut || !client.startsWith('+')) return
    const settings = await this.settings.get({ id: message.workspace_id }, tx)
    const words = optOutWords({
      countries: [number.country_code, ...(internationalNumber(client)?.countries ?? [])],
      own: { stop: settings.stop_words, start: settings.start_words, help: settings.help_words },
    })
    const word = optOutWordOf(message.body, words)
    if (word && (await this.isDone(tx, message, word, words))) {
      await this.replies.add(tx, message, word, settings[`${word}_reply`])
    }
  }

  /** @returns whether to reply: a word that changes nothing may be meant for the people who read the conversation */
  private async isDone(
    tx: EntityManager,
    message: Message,
    word: OptOutWord,
    words: OptOutWords,
  ): Promise<boolean> {
    if (word === 'stop') return this.optOuts.add(tx, { id: message.workspace_id }, message)
    if (word === 'start') return this.optOuts.remove(tx, message)
    const since = new Date(message.created_at.getTime() - helpPauseMs)
    const earlier = await tx.query<{ body: string }[]>(
      `SELECT body FROM messages WHERE conversation_id = ? AND created_at > ? AND direction = 'inbound' AND id <> ?
       ORDER BY created_at DESC LIMIT ?`,
      [message.conversation_id, since, message.id, lookedAt],
    )
    return !earlier.some(({ body }) => optOutWordOf(body, words) === 'help')
  }
}
