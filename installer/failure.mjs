/**
 * An error that the operator can fix: one line that says what is wrong and what to do.
 * Any other exception is our bug and is shown with its stack.
 */
export class Failure extends Error {
  /**
   * @param {string} message what is wrong and what to do, in one line
   */
  constructor(message) {
    super(message.replace(/\s*\n\s*/g, ' '))
    this.name = 'Failure'
  }
}

/**
 * The message of anything thrown.
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error)
}

/**
 * The system error code of an error (`ENOENT`, `EADDRINUSE`), if any.
 * @param {unknown} error
 * @returns {string | undefined}
 */
export function codeOf(error) {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
