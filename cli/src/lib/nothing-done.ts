/** How a command ends whose question was left. */

/** A question was left: the program ends as a shell expects of one that Ctrl-C ends, 128 and SIGINT. */
export class NothingDone extends Error {
  readonly exitCode = 130

  constructor() {
    super('Nothing was done.')
  }
}
