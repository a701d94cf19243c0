/** The link to the switch is down, or was lost before the answer came: nothing is known of the outcome. */
export class SwitchDownError extends Error {
  constructor(message = 'the link to the switch is down') {
    super(message)
  }
}

/** The switch refused a command; the message is its own, without `-ERR`. */
export class SwitchRefusedError extends Error {}

/** The switch did not answer in time. */
export class SwitchTimeoutError extends Error {}
