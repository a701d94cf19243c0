/** Which failures of a provider end a conversation, and how they are reported. */
import { type SpeechFailureKind, SpeechModelError } from '../speech-model.js'
import type { Fields } from './fields.js'
import type { RealtimeAddress } from './realtime-address.js'

/** Codes of an `error` event, or of a failed response, after which the session is unusable. */
const refusals =
  /invalid_api_key|incorrect_api_key|authentication|unauthorized|permission|invalid_model|model_not_found|insufficient_quota|billing/
const expiry = /session_expired/

/** RFC 6455, section 7.4.1. */
const closeCodes = {
  protocolError: 1002,
  unsupported: 1003,
  gone: 1006,
  badData: 1007,
  policy: 1008,
  tooBig: 1009,
}

const maxMessage = 300

/** Describes failures of one server, without its API key. */
export class RealtimeFailures {
  constructor(private readonly address: Pick<RealtimeAddress, 'apiKey'>) {}

  of(kind: SpeechFailureKind, message: string, cause?: unknown): SpeechModelError {
    return new SpeechModelError(kind, this.redacted(message), cause === undefined ? {} : { cause })
  }

  /** Removes the API key, and anything that looks like one: providers repeat a part of it. */
  redacted(text: string): string {
    const { apiKey } = this.address
    const without = apiKey ? text.replaceAll(apiKey, '…') : text
    return without.replace(/\bsk-[\w*.-]+/g, '…').slice(0, maxMessage)
  }

  /** The server has refused to talk in this protocol, or with us. */
  ofHandshake(status: number): SpeechModelError {
    const isOurs = status >= 400 && status < 500
    return this.of(isOurs ? 'refused' : 'unreachable', `the provider answers the connection with ${status}`)
  }

  /** @param error of `ws`, or of the network beneath it */
  ofSocket(error: Error): SpeechModelError {
    const isBadFrame = 'code' in error && String(error.code).startsWith('WS_ERR')
    const isLate = error.message === 'Opening handshake has timed out'
    const kind = isBadFrame ? 'protocol' : isLate ? 'slow' : 'unreachable'
    return this.of(kind, `no connection with the provider: ${error.message}`, error)
  }

  /** @param error of an `error` event, or of a failed response. @returns null for what the session outlives */
  ofError(error: Fields): SpeechModelError | null {
    const code = `${error.text('type')} ${error.text('code')}`
    if (expiry.test(code)) return this.of('closed', this.message(error))
    return refusals.test(code) ? this.of('refused', this.message(error)) : null
  }

  ofClose(code: number, reason: string): SpeechModelError {
    const message = `the provider closed the connection: ${code} ${reason}`.trimEnd()
    return this.of(closeKind(code, reason), message)
  }

  /** An error in a few words: `code (field): message`. */
  message(error: Fields): string {
    const code = error.text('code') || error.text('type') || 'error'
    const param = error.text('param')
    return this.redacted(`${code}${param && ` (${param})`}: ${error.text('message')}`)
  }
}

function closeKind(code: number, reason: string): SpeechFailureKind {
  if (refusals.test(reason)) return 'refused'
  switch (code) {
    case closeCodes.gone:
      return 'unreachable'
    case closeCodes.policy:
      return 'refused'
    case closeCodes.protocolError:
    case closeCodes.unsupported:
    case closeCodes.badData:
    case closeCodes.tooBig:
      return 'protocol'
    default:
      return 'closed'
  }
}
