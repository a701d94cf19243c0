/** Why a guarded request has no answer; the message is fit for the customer whose URL it was. */
export class RequestFailedError extends Error {
  /** Whether the request may have reached a server, which may have done what it asks for. */
  reached = false
}

/** The request was not made, as its URL or where it leads is not allowed; trying again may not help. */
export class RequestRefusedError extends RequestFailedError {}

/** No whole answer came within the time given. */
export class RequestTimedOutError extends RequestFailedError {}

/** The answer is longer than it may be; the rest was not read. */
export class AnswerTooLongError extends RequestFailedError {}
