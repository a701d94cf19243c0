/** Ends a command whose prompt the user aborted. */

/** The user aborted a prompt: exit code 130, as after Ctrl-C (128 plus SIGINT's 2). */
export class NothingDone extends Error {
  readonly exitCode = 130

  constructor() {
    super('Nothing was done.')
  }
}
