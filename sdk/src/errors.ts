import type { components } from './openapi.js'

/** Body of every failed answer (contract, section Errors). */
export type ApiErrorBody = components['schemas']['Error']

/** One invalid field: its dotted path in the body or query, and everything that is wrong with it. */
export type FieldProblem = NonNullable<ApiErrorBody['errors']>[number]

/** The API refused. `message` is the API's own; several of them are joined. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** What the API answered; undefined when what answered was not the API, a proxy for example. */
  readonly body: ApiErrorBody | undefined

  /** @param answer the answer's body as it was read: JSON, or text of something that is not the API */
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

  /** The fields that are wrong, of a 400. */
  get errors(): readonly FieldProblem[] {
    return this.body?.errors ?? []
  }

  /** Seconds after which a 429 is worth another try. */
  get retryAfter(): number | undefined {
    const seconds = this.body?.retryAfter ?? Number.parseInt(this.retryAfterHeader ?? '', 10)
    return Number.isFinite(seconds) ? seconds : undefined
  }
}

function isErrorBody(answer: unknown): answer is ApiErrorBody {
  return typeof answer === 'object' && answer !== null && 'message' in answer
}
