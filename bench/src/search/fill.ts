/** Rows of a workspace whose lists are searched, straight in the database. Texts are ASCII, so that SQL makes what is searched. */
import type { Connection } from 'mysql2/promise'

interface Table {
  readonly columns: Readonly<Record<string, string>>
  /** Properties that are searched, in their order. */
  readonly sought: readonly string[]
}

const time = "TIMESTAMPADD(SECOND, seq, '2026-01-01')"

/** Words of a text, of twenty each: `seq` chooses among them. */
const words = [
  ['Hello', 'Good morning', 'Dear client', 'Hi', 'Reminder:', 'Your', 'Please note', 'Thank you'],
  [
    'your order is ready',
    'the appointment was moved',
    'the invoice is paid',
    'delivery comes tomorrow',
    'we have called',
  ],
  [
    'at the station',
    'in our store',
    'by the courier',
    'at reception',
    'near the harbour',
    'on the second floor',
    'online',
  ],
  [
    'see you soon',
    'call us back',
    'reply yes to confirm',
    'thanks for your patience',
    'kind regards',
    'until Monday',
  ],
]

const body = `CONCAT_WS(' ', ${words
  .map(
    (some, place) =>
      `ELT(1 + (seq DIV ${place + 1}) % ${some.length}, ${some.map((one) => `'${one}'`).join(', ')})`,
  )
  .join(', ')}, seq, IF(seq % 200000 = 7, 'zucchini', NULL))`

const tables: Readonly<Record<'messages' | 'contacts' | 'calls', Table>> = {
  messages: {
    columns: {
      conversation_id: "CONCAT('conv_', LPAD(seq % 50000, 26, '0'))",
      position: 'seq',
      phone_number_id: "'pn_1'",
      system_number: "'12025550199'",
      client_number: "CONCAT('12025', LPAD(seq % 50000, 6, '0'))",
      direction: "IF(seq % 2, 'inbound', 'outbound')",
      status: "IF(seq % 2, 'received', 'delivered')",
      sender_type: "'client'",
      body,
      encoding: "'gsm7'",
      segments: '1',
      updated_at: time,
    },
    sought: ['system_number', 'client_number', 'body'],
  },
  contacts: {
    columns: {
      name: "CONCAT('Contact ', seq)",
      email: "CONCAT('contact', seq, '@example.com')",
      numbers: "CONCAT('[\"+1202', LPAD(seq, 7, '0'), '\"]')",
      custom_fields: "'{}'",
      updated_at: time,
    },
    sought: ['name', 'email', 'numbers'],
  },
  calls: {
    columns: {
      direction: "IF(seq % 2, 'inbound', 'outbound')",
      status: "'completed'",
      from_number: "CONCAT('+1202', LPAD(seq, 7, '0'))",
      to_number: "CONCAT('+4930', LPAD(seq, 8, '0'))",
      from_name: "'Main'",
      to_name: "'Client'",
      max_duration: '7200',
      script: "'[]'",
      live: 'NULL',
      duration: 'seq % 600',
    },
    sought: ['from_number', 'to_number', 'from_name', 'to_name'],
  },
}

const prefixes = { messages: 'msg', contacts: 'con', calls: 'call' }
const rowsAtOnce = 20_000

/** Fills a table with rows of a workspace. */
export async function fill(
  connection: Connection,
  workspaceId: string,
  name: keyof typeof tables,
  rows: number,
): Promise<void> {
  const { columns, sought } = tables[name]
  const between = name === 'contacts' ? "' '" : 'CHAR(1)'
  const values: Record<string, string> = {
    id: `CONCAT('${prefixes[name]}_', LPAD(seq, 26, '0'))`,
    workspace_id: `'${workspaceId}'`,
    ...columns,
    search_text: `LOWER(CONCAT_WS(${between}, ${sought.map((column) => columns[column]).join(', ')}))`,
    created_at: time,
  }
  await connection.query('SET SESSION foreign_key_checks = 0, SESSION unique_checks = 0')
  for (let from = 1; from <= rows; from += rowsAtOnce)
    await connection.query(
      `INSERT INTO ${name} (${Object.keys(values).join(', ')}) SELECT ${Object.values(values).join(', ')}
       FROM seq_${from}_to_${Math.min(from + rowsAtOnce - 1, rows)}`,
    )
  if (name === 'contacts')
    await connection.query(
      `INSERT INTO contact_numbers (workspace_id, contact_id, number)
       SELECT workspace_id, id, SUBSTR(JSON_VALUE(numbers, '$[0]'), 2) FROM contacts WHERE workspace_id = ?`,
      [workspaceId],
    )
  await connection.query(`ANALYZE TABLE ${name}`)
}
