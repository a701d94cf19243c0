/** A workspace's messages as CSV, for spreadsheets and accounting. */
import type { CsvCell } from '../../infrastructure/http/csv.js'
import type { ListedMessage } from './message.service.js'

/** Columns, in order, with the names of the API. */
export const messageCells: Readonly<Record<string, (message: ListedMessage) => CsvCell>> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  direction: ({ direction }) => direction,
  from: ({ from }) => from,
  to: ({ to }) => to,
  client_name: ({ client_name }) => client_name,
  body: ({ body }) => body,
  media: ({ media }) => media.map(({ url }) => url).join(' ') || null,
  status: ({ status }) => status,
  segments: ({ segments }) => segments,
  cost: ({ cost }) => cost,
  error_code: ({ error_code }) => error_code,
  error_message: ({ error_message }) => error_message,
  sender_type: ({ sender_type }) => sender_type,
  sender_id: ({ sender_id }) => sender_id,
  conversation_id: ({ conversation_id }) => conversation_id,
  updated_at: ({ updated_at }) => updated_at,
}
