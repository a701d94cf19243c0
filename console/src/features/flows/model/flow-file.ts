/** Flows as files: the body of `POST /call-flows`, so that what is exported here is imported anywhere. */
import { type Step, isRecord } from './steps'

/** The API's limit. */
const maxSteps = 200

/** 200 steps with long texts stay far below. */
const maxFileBytes = 2_000_000

/** Why a file is no flow: a key of the editor's texts. */
export class WrongFlowFile extends Error {
  constructor(readonly reason: 'fileTooLarge' | 'fileNoJson' | 'fileNoSteps' | 'fileManySteps') {
    super(reason)
  }
}

export function flowFileOf(
  { title, trigger_type }: { title: string; trigger_type: string },
  steps: readonly Step[],
): Blob {
  const text = `${JSON.stringify({ title, trigger_type, nodes: steps }, null, 2)}\n`
  return new Blob([text], { type: 'application/json' })
}

/** `Main menu` → `main-menu.flow.json` */
export function fileNameOf(title: string): string {
  const plain = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  return `${plain || 'flow'}.flow.json`
}

/**
 * The steps of a file, whatever their types: the flow's check says what is wrong with them.
 * @throws {WrongFlowFile}
 */
export async function stepsIn(file: File): Promise<readonly Step[]> {
  if (file.size > maxFileBytes) throw new WrongFlowFile('fileTooLarge')
  const read = parsed(await file.text())
  const nodes: unknown = isRecord(read) ? read['nodes'] : read
  if (!Array.isArray(nodes) || nodes.length === 0) throw new WrongFlowFile('fileNoSteps')
  if (nodes.length > maxSteps) throw new WrongFlowFile('fileManySteps')
  const ids = new Set<string>()
  return nodes.map((node: unknown) => {
    const step = stepOf(node)
    if (!step || ids.has(step.id)) throw new WrongFlowFile('fileNoSteps')
    ids.add(step.id)
    return step
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new WrongFlowFile('fileNoJson')
  }
}

function stepOf(node: unknown): Step | null {
  if (!isRecord(node)) return null
  const { id, type, params = {}, next = {}, position } = node
  if (typeof id !== 'string' || id === '' || typeof type !== 'string' || type === '') return null
  if (!isRecord(params) || !isRecord(next)) return null
  const edges = Object.entries(next).filter((edge): edge is [string, string] => typeof edge[1] === 'string')
  return { id, type, params, next: Object.fromEntries(edges), ...(isPlace(position) && { position }) }
}

function isPlace(value: unknown): value is { x: number; y: number } {
  return isRecord(value) && Number.isFinite(value['x']) && Number.isFinite(value['y'])
}
