/** The API's errors: one small hierarchy and one JSON shape (contract, section Errors). */
import { STATUS_CODES } from 'node:http'

/** One invalid field: its dotted path and everything that is wrong with it. */
export interface FieldProblem {
  field: string
  messages: string[]
}

/** Body of every failed answer. */
export interface ErrorBody {
  statusCode: number
  message: string | string[]
  error?: string
  errors?: FieldProblem[]
  retryAfter?: number
}

/** An error that the caller is meant to see: status and message are answered as they stand. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }

  body(): ErrorBody {
    return { statusCode: this.status, message: this.message, error: STATUS_CODES[this.status] ?? 'Error' }
  }
}

/**
 * 400 with a list of fields. The top-level message is that of the first field, or an array of all messages, which
 * the contract has for some failures.
 */
export class ValidationError extends ApiError {
  constructor(
    readonly errors: readonly FieldProblem[],
    private readonly allMessages = false,
  ) {
    super(400, errors[0]?.messages[0] ?? 'Bad Request')
  }

  override body(): ErrorBody {
    const all = this.errors.flatMap(({ messages }) => messages)
    return { ...super.body(), ...(this.allMessages && { message: all }), errors: [...this.errors] }
  }
}

/** A 400 about one field, found by a rule that a schema cannot express. */
export function invalidField(field: string, message: string): ValidationError {
  return new ValidationError([{ field, messages: [message] }])
}

export const badRequest = (message: string) => new ApiError(400, message)
export const unauthorized = (message: string) => new ApiError(401, message)
export const forbidden = (message: string) => new ApiError(403, message)
export const notFound = (message: string) => new ApiError(404, message)
export const conflict = (message: string) => new ApiError(409, message)

/** 503; `retryAfter` is after how many seconds it is worth trying again. */
export class UnavailableError extends ApiError {
  constructor(
    message: string,
    readonly retryAfter: number,
  ) {
    super(503, message)
  }
}

/** 429; `retryAfter` is the seconds until the window of `limit` requests, or of what else is counted, ends. */
export class RateLimitError extends ApiError {
  constructor(
    readonly limit: number,
    readonly retryAfter: number,
    what = 'requests',
  ) {
    super(429, `Too many ${what}: try again in ${retryAfter} s`)
  }

  override body(): ErrorBody {
    return { statusCode: 429, message: this.message, retryAfter: this.retryAfter }
  }
}
