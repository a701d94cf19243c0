import type { components } from './openapi.js'

/** Body of every error response (contract, section Errors). */
export type ApiErrorBody = components['schemas']['Error']

/** One invalid field: its dotted path in the body or query, and all of its problems. */
export type FieldProblem = NonNullable<ApiErrorBody['errors']>[number]

/** The API refused the request. `message` is the API's own; several are joined. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The API's error body; undefined if something else answered, for example a proxy. */
  readonly body: ApiErrorBody | undefined

  /** @param answer the parsed body: JSON, or the text of something that is not the API */
  constructor(
    /** HTTP status. */
    readonly status: number,
    answer: unknown,
    private readonly retryAfterHeader?: string | null,
  ) {
    const body = isErrorBody(answer) ? answer : undefined
    super([body?.message ?? `the API answered ${String(status)}`].flat().join(', '))
    this.body = body
  }

  /** The invalid fields of a 400. */
  get errors(): readonly FieldProblem[] {
    return this.body?.errors ?? []
  }

  /** Seconds to wait before a retry, after a 429. */
  get retryAfter(): number | undefined {
    const seconds = this.body?.retryAfter ?? Number.parseInt(this.retryAfterHeader ?? '', 10)
    return Number.isFinite(seconds) ? seconds : undefined
  }
}

function isErrorBody(answer: unknown): answer is ApiErrorBody {
  return typeof answer === 'object' && answer !== null && 'message' in answer
}
