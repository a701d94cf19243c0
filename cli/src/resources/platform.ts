/** Output of the platform's status and checklist. */
import type { AnswerOf } from '../lib/endpoints.js'
import { table, textOf } from '../lib/table.js'

type Status = AnswerOf<'get', '/operator/status'>
type Checklist = AnswerOf<'get', '/operator/checklist'>
type Cells = AnswerOf<'get', '/operator/cells'>

/** Texts of carriers and customers must not control the operator’s terminal. */
const plain = (text: string) => textOf(text)

/** One line for each part, then the queues. */
export function statusLines(status: Status): string {
  const { database, edge, redis, servers, work } = status
  const { facts: lines, state: switchState } = status.switch
  const rows = [
    ...servers.map(({ id, state, facts }) => ({
      ...{ part: `server ${id}`, state },
      details: facts && [
        `version ${facts.version} on ${facts.host}`,
        `${megabytes(facts.memory_bytes)} MB`,
        `load ${String(facts.load)} of ${String(facts.cpus)}`,
        `${String(facts.streams)} streams`,
        ...facts.disks.map(
          ({ purpose, free_bytes, total_bytes }) =>
            `${purpose} ${gigabytes(free_bytes)} of ${gigabytes(total_bytes)} GB free`,
        ),
      ],
    })),
    {
      ...{ part: 'database', state: database.state },
      details: database.facts && [
        `version ${database.facts.version}`,
        `${megabytes(database.facts.size_bytes)} MB`,
        `${String(database.facts.connections)} of ${String(database.facts.max_connections)} connections`,
        `${String(database.facts.latency_ms)} ms`,
      ],
    },
    {
      ...{ part: 'switch', state: switchState },
      details: lines && [
        `${lines.kind} ${lines.version}`,
        `${String(lines.channels)} of ${String(lines.max_channels)} channels`,
        `most ${String(lines.peak_channels)}`,
      ],
    },
    {
      ...{ part: 'edge', state: edge.state },
      details: edge.facts && [
        `version ${edge.facts.version}`,
        ...(work ? [`${String(work.registrations)} registrations`] : []),
      ],
    },
    { part: 'redis', state: redis.state, details: null },
    ...(work?.carriers ?? []).map(({ title, state, last_error, waiting }) => ({
      ...{ part: `carrier ${title}`, state },
      details: [`${String(waiting)} messages wait`, ...(last_error === null ? [] : [last_error])],
    })),
  ]
  const parts = table(rows, {
    part: ({ part }) => part,
    state: ({ state }) => state,
    details: ({ details }) => details?.join(', '),
  })
  return work ? `${parts}\n\n${workLines(work)}` : parts
}

function workLines(work: NonNullable<Status['work']>): string {
  const { live_calls, messages, webhooks, jobs } = work
  const rows = [
    { work: 'live calls', count: live_calls },
    { work: 'messages', count: messages.waiting, since: messages.oldest_due_at },
    { work: 'webhook deliveries', count: webhooks.waiting, since: webhooks.oldest_due_at },
    { work: 'webhooks switched off', count: webhooks.switched_off },
    ...jobs.map(({ kind, waiting, oldest_at }) => ({
      ...{ work: `jobs ${kind}`, count: waiting, since: oldest_at },
    })),
  ]
  return table(rows, {
    work: (row) => row.work,
    count: ({ count }) => count,
    since: (row) => ('since' in row ? row.since : null),
  })
}

/** Each step with its state and, if it is not done, the advice. */
export function checklistLines({ items }: Checklist): string {
  return items
    .flatMap(({ id, state, message, advice, command, docs }) => [
      `${state.padEnd(8)}  ${id.replaceAll('_', ' ')}: ${plain(message)}`,
      ...(advice === null ? [] : [`          ${plain(advice)} (${docs})`]),
      ...(command === null ? [] : [`          $ ${plain(command)}`]),
    ])
    .join('\n')
}

/** One line for each cell. */
export function cellLines({ data }: Cells): string {
  return data.map(cellLine).join('\n')
}

/** State of a cell, and its number of live calls. */
export function cellLine(cell: Cells['data'][number]): string {
  const { name, is_up, is_draining, live_calls, switch_address, beat_at } = cell
  const state = is_up ? (is_draining ? 'draining' : 'up') : 'down'
  const at = switch_address === '' ? '' : `, switch at ${plain(switch_address)}`
  return `${state.padEnd(8)}  ${name}: ${String(live_calls)} live calls${at}, last seen ${beat_at}`
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0)
const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1)
