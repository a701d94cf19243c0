/**
 * How an inbox slows down as it grows. First the pages of a conversation with many messages beside those of one with
 * few, and replies in both; then lists of many conversations beside lists of few. One request at a time, at the large
 * and the small one in turns; medians.
 * Settings: BENCH_MESSAGES (of the large conversation), BENCH_CONVERSATIONS (of the large inbox, and as many contacts),
 * BENCH_REQUESTS (of each kind).
 */
import type { Connection } from 'mysql2/promise'
import { type ApiClient } from '../../../server/dist/test/support/api-client.js'
import { type Appliance, type TestWorkspace } from '../../../server/dist/test/support/appliance.js'
import { stopSharedMariadb } from '../../../server/dist/test/support/mariadb.js'
import { insertReceived, startConversation } from '../../../server/dist/test/api/conversation-fixtures.js'
import { newPerson, newTeam, startUnlimited, succeed } from '../../../server/dist/test/api/fixtures.js'
import { newTextingNumber } from '../../../server/dist/test/api/message-fixtures.js'
import { connectTo } from '../api/fill.js'
import { machine, median, printTable, say, printFigure } from '../figures.js'

const setting = (name: string, value: number) => Number(process.env[name] ?? value)
const manyMessages = setting('BENCH_MESSAGES', 100_000)
const manyConversations = setting('BENCH_CONVERSATIONS', 100_000)
const requests = setting('BENCH_REQUESTS', 100)
const few = 100
const base = '/call-center/conversations'

type Request = () => Promise<{ status: number; body: unknown }>

/** Milliseconds of a request. */
async function timed(send: Request): Promise<number> {
  const began = performance.now()
  const { status, body } = await send()
  const took = performance.now() - began
  if (status !== 200 && status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return took
}

/** A row of the table: medians of both, measured in turns, and their ratio. */
async function compared(kind: string, large: Request, small: Request): Promise<string[]> {
  const times: { large: number[]; small: number[] } = { large: [], small: [] }
  for (let count = 0; count < requests * 1.1; count++) {
    times.large.push(await timed(large))
    times.small.push(await timed(small))
  }
  const of = (samples: number[]) => median(samples.slice(Math.ceil(requests * 0.1)))
  const [atLarge, atSmall] = [of(times.large), of(times.small)]
  return [kind, atLarge.toFixed(2), atSmall.toFixed(2), (atLarge / atSmall).toFixed(2)]
}

/** Pages of a conversation, by their queries. */
function pagesOf(messages: number, times: readonly [first: string, middle: string]) {
  const [first, middle] = times
  const last = Math.ceil(messages / 50)
  return {
    'first page': '',
    'last page': `page=${last}`,
    'page in the middle': `page=${Math.ceil(last / 2)}`,
    'before now': `before=${new Date(Date.now() + 1e11).toISOString()}`,
    'before, in the middle': `before=${middle}`,
    'after the first': `after=${first}`,
    'after, in the middle': `after=${middle}`,
  }
}

async function conversations(appliance: Appliance): Promise<void> {
  const workspace = await appliance.workspace({ credit: 1_000_000 })
  const agent = await newPerson(workspace)
  const { number } = await newTextingNumber(appliance, workspace)
  const made = []
  for (const count of [manyMessages, few]) {
    const { id } = (await startConversation(agent, number)).conversation
    await insertReceived(appliance, id, count - 1)
    const timeOf = async (place: number): Promise<string> => {
      const answer = await agent.api.get(`${base}/${id}/messages?limit=1&page=${place}`)
      return (answer.body as { data: { created_at: string }[] }).data[0]?.created_at ?? ''
    }
    made.push({ id, pages: pagesOf(count, [await timeOf(1), await timeOf(count / 2)]) })
  }
  const [large, small] = made
  if (!large || !small) return
  const rows = []
  for (const [kind, query] of Object.entries(large.pages)) {
    const other = small.pages[kind as keyof typeof small.pages]
    rows.push(
      await compared(
        kind,
        async () => agent.api.get(`${base}/${large.id}/messages?${query}`),
        async () => agent.api.get(`${base}/${small.id}/messages?${other}`),
      ),
    )
  }
  const reply = (id: string) => async () => agent.api.post(`${base}/${id}/messages`, { body: 'Hello' })
  rows.push(await compared('reply', reply(large.id), reply(small.id)))
  printTable(['a conversation of', `${manyMessages} messages, ms`, `${few} messages, ms`, 'ratio'], rows)
  printFigure(
    `time of a page of ${manyMessages} messages, to one of ${few}: the worst`,
    Math.max(...rows.map((row) => Number(row.at(-1)))),
    { atMost: 2 },
  )
}

interface Inbox {
  workspace: TestWorkspace
  supervisor: ApiClient
  /** Sees all conversations, as the numbers are shared with a team of this agent. */
  member: ApiClient
  memberId: string
}

/** A workspace with ten numbers, and conversations and contacts without messages. */
async function newInbox(appliance: Appliance, connection: Connection, count: number): Promise<Inbox> {
  const workspace = await appliance.workspace()
  const [member, supervisor] = [await newPerson(workspace), await newPerson(workspace, 'supervisor')]
  const team = await newTeam(workspace.api)
  await succeed(workspace.api.put(`/teams/${team}/agents/${member.id}`))
  for (let index = 0; index < 10; index++) {
    const { id } = await newTextingNumber(appliance, workspace)
    const shared_teams_id = index % 2 ? [team] : []
    await succeed(workspace.api.patch(`/phone-numbers/${id}`, { shared_teams_id }))
  }
  const { id } = workspace
  const client = `CONCAT('1303', LPAD(seq, 7, '0'))`
  const time = `TIMESTAMPADD(SECOND, seq, '2026-01-01')`
  await connection.query('SET SESSION foreign_key_checks = 0')
  await connection.query(
    `INSERT INTO conversations (id, workspace_id, phone_number_id, system_number, client_number, assigned_agent_id,
       status, unread_count, last_message_at, created_at, updated_at)
     SELECT CONCAT('conv_${id}', LPAD(seq, 8, '0')), '${id}', number.id, number.number, ${client},
       IF(seq % 200 = 0, '${member.id}', NULL), IF(seq % 10, 'closed', 'open'), seq % 7 = 0, ${time}, ${time}, ${time}
     FROM seq_1_to_${count} JOIN (
       SELECT id, number, ROW_NUMBER() OVER (ORDER BY id) - 1 AS place FROM phone_numbers WHERE workspace_id = '${id}'
     ) number ON number.place = seq % 10`,
  )
  await connection.query(
    `INSERT INTO contacts (id, workspace_id, name, numbers, custom_fields, search_text, created_at, updated_at)
     SELECT CONCAT('con_${id}', LPAD(seq, 8, '0')), '${id}', CONCAT('Contact ', seq),
       JSON_ARRAY(CONCAT('+', ${client})), '{}', CONCAT('contact ', seq, ' +', ${client}), ${time}, ${time}
     FROM seq_1_to_${count}`,
  )
  await connection.query(
    `INSERT INTO contact_numbers (workspace_id, contact_id, number)
     SELECT '${id}', CONCAT('con_${id}', LPAD(seq, 8, '0')), ${client} FROM seq_1_to_${count}`,
  )
  return { workspace, member: member.api, memberId: member.id, supervisor: supervisor.api }
}

/** Lists, by their queries. */
const lists = {
  'all of it': '',
  'last page': 'page=$last',
  'open ones': 'status=open',
  'unread ones': 'unread_only=true',
  'one’s own': 'assigned_agent_id=me',
  'open and unassigned': 'status=open&assigned_agent_id=unassigned',
  'search, a name': 'search=contact 77',
  'search, no match': 'search=zebra',
  'search, a number': 'search=3030000077',
}

async function inboxes(appliance: Appliance, connection: Connection): Promise<void> {
  const [large, small] = [
    await newInbox(appliance, connection, manyConversations),
    await newInbox(appliance, connection, few),
  ]
  for (const table of ['conversations', 'contacts', 'contact_numbers']) {
    await connection.query(`ANALYZE TABLE ${table}`)
  }
  const rows = []
  for (const role of ['supervisor', 'member'] as const) {
    for (const [kind, query] of Object.entries(lists)) {
      const list = (inbox: Inbox, count: number) => async () =>
        inbox[role].get(`${base}?${query.replace('$last', String(count / 20)).replaceAll(' ', '%20')}`)
      rows.push(await compared(`${role}: ${kind}`, list(large, manyConversations), list(small, few)))
    }
  }
  printTable(['an inbox of', `${manyConversations}, ms`, `${few}, ms`, 'ratio'], rows)
}

async function measure(): Promise<void> {
  say(`bench/inbox: ${machine()}; medians of ${requests} requests`)
  const appliance = await startUnlimited()
  try {
    const connection = await connectTo(appliance)
    await conversations(appliance)
    say()
    await inboxes(appliance, connection)
    await connection.end()
  } finally {
    await appliance.stop()
    await stopSharedMariadb()
  }
}

await measure()
process.exit(0)
