/** The end of a command when a person leaves its question. */

/** A person has left a question: the exit code is that of a program which Ctrl-C ends, 128 and SIGINT's 2. */
export class NothingDone extends Error {
  readonly exitCode = 130

  constructor() {
    super('Nothing was done.')
  }
}
