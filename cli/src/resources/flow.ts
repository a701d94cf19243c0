import { choice, optionalText, text } from '../lib/fields.js'
import { jsonFile } from '../lib/file-fields.js'
import { usageError } from '../lib/usage-error.js'

export const flowFields = {
  file: jsonFile('nodes', 'the flow, as `flow show --json` prints it, or its nodes only'),
  title: text('title', 'name that people read'),
  'dial-code': optionalText('dial_code', 'what phones dial to reach it, as *98 or 0', {
    helpValue: '<code>',
  }),
  trigger: choice('trigger_type', 'calls that it is for', ['inbound', 'outbound']),
}

/** Fields that a flow's file may have besides nodes; flags override them. */
const inFile = ['title', 'trigger_type', 'dial_code', 'nodes']

/** Splits the content of `--file`. */
export function flowOf(body: Record<string, unknown>): object {
  const { nodes: file, ...flags } = body
  if (file === undefined) return flags
  if (Array.isArray(file)) return { nodes: file, ...flags }
  if (typeof file !== 'object' || file === null || !('nodes' in file)) {
    throw usageError('--file holds no flow: a JSON object with nodes, or a list of nodes')
  }
  return { ...Object.fromEntries(Object.entries(file).filter(([name]) => inFile.includes(name))), ...flags }
}

/** Names nodes by id where the API uses indexes: `node menu: next.1 …` for `nodes.3.next.1 …`. */
export function withNodeNames(problem: string, sent: object): string {
  const nodes = 'nodes' in sent && Array.isArray(sent.nodes) ? (sent.nodes as unknown[]) : []
  return problem.replace(/\bnodes\.(\d+)(\.?)/g, (counted, index: string, dot: string) => {
    const node = nodes[Number(index)]
    const id = typeof node === 'object' && node !== null && 'id' in node ? node.id : undefined
    return typeof id === 'string' ? `node ${id}${dot && ': '}` : counted
  })
}
