/** Sends lines to the API, a few at a time, and records each result. */
import { ApiError, type FieldProblem } from '@jackfield/sdk'

/** Result of a line. `valid` is for dry runs; `untried` is for lines after the import was stopped. */
export type Outcome = 'created' | 'valid' | 'existing' | 'failed' | 'untried'

export interface LineResult {
  line: number
  /** Key of the line: a username, a number. */
  key: string
  outcome: Outcome
  /** Id of the row that was created, or exists already. */
  id?: string
  errors?: FieldProblem[]
}

/** A line that may be sent. */
export interface Candidate {
  line: number
  key: string
  body: Record<string, unknown>
}

interface ImportOptions {
  /** Creates a row and returns its id. @throws {ApiError} */
  create(body: Record<string, unknown>): Promise<string>
  /** The id of the existing row for a refused duplicate. */
  find(candidate: Candidate): Promise<string | undefined>
  /** Called after each line that was tried. */
  done(result: LineResult): void
  /** Stops the import before the next line. */
  signal: AbortSignal
}

/** Concurrent requests: enough to hide the latency, too few to burden the server. */
const parallel = 4

/** After this many failures in a row that no line is to blame for, the rest is not tried. */
const mostFailuresInARow = 5

export interface ImportRun {
  results: LineResult[]
  /** Why the rest was not tried. */
  stopped?: string
}

/** Sends the lines in order, until an error makes further lines pointless. */
export async function importLines(
  candidates: readonly Candidate[],
  options: ImportOptions,
): Promise<ImportRun> {
  const results: LineResult[] = []
  const lines = candidates[Symbol.iterator]()
  let stopped: string | undefined
  let failuresInARow = 0

  async function work(): Promise<void> {
    for (const candidate of lines) {
      const { line, key } = candidate
      if (options.signal.aborted) stopped ??= 'it was interrupted'
      if (stopped !== undefined) {
        results.push({ line, key, outcome: 'untried' })
        continue
      }
      const result = await tryLine(candidate)
      results.push(result)
      options.done(result)
    }
  }

  async function tryLine(candidate: Candidate): Promise<LineResult> {
    const { line, key, body } = candidate
    try {
      const id = await options.create(body)
      failuresInARow = 0
      return { line, key, outcome: 'created', id }
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) {
        const id = await options.find(candidate).catch(() => undefined)
        if (id !== undefined) return { line, key, outcome: 'existing', id }
      }
      stopped ??= hopeless(error)
      return { line, key, outcome: 'failed', errors: problemsOf(error) }
    }
  }

  /** Whether further lines would fail as well, and why. */
  function hopeless(error: unknown): string | undefined {
    const status = error instanceof ApiError ? error.status : 0
    if (status === 401 || status === 403) return (error as ApiError).message
    failuresInARow = status === 0 || status === 429 || status >= 500 ? failuresInARow + 1 : 0
    return failuresInARow >= mostFailuresInARow
      ? `the API does not answer: ${(error as Error).message}`
      : undefined
  }

  // The workers share one iterator: each takes the next line when it has done its last.
  await Promise.all(Array.from({ length: parallel }, work))
  results.sort((one, other) => one.line - other.line)
  return stopped === undefined ? { results } : { results, stopped }
}

function problemsOf(error: unknown): FieldProblem[] {
  if (error instanceof ApiError && error.errors.length > 0) return [...error.errors]
  return [{ field: '', messages: [(error as Error).message] }]
}
