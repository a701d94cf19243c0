/** What apps send on a call's WebSocket: text frames with `{event, data}` in JSON, checked before anything is done. */
import Type, { type Static, type TSchema } from 'typebox'
import { printable } from '../../../infrastructure/http/shapes.js'
import { type Validator, bodyValidator, validateAt } from '../../../infrastructure/http/validation.js'

/** Characters of a frame; a session description has a few thousand. */
const maxFrameChars = 65_536

/** Apps may send more than we read: browsers' own objects have fields of their own. */
const open = { additionalProperties: true }

const dataOf = {
  'session.connect': Type.Object(
    { token: Type.String({ minLength: 1, maxLength: 4_096 }), resume: Type.Optional(Type.Boolean()) },
    open,
  ),
  'call.answer': Type.Object({ sdp: Type.String({ minLength: 1, maxLength: 60_000 }) }, open),
  'call.ice_candidate': Type.Object(
    {
      candidate: Type.String({ maxLength: 1_000 }),
      sdpMid: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
      sdpMLineIndex: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Null()])),
    },
    open,
  ),
  'call.hangup': Type.Object({}, open),
  'call.reject': Type.Object({ reason: Type.Optional(Type.String({ maxLength: 200 })) }, open),
  'call.transfer': Type.Object(
    {
      target: Type.String({ minLength: 1, maxLength: 100 }),
      reason: Type.Optional(Type.String({ maxLength: 255, pattern: printable })),
    },
    open,
  ),
  'call.dtmf': Type.Object(
    { digits: Type.String({ pattern: '^[0-9A-D*#]{1,32}$', 'x-rule': '1 to 32 of 0-9, A-D, * and #' }) },
    open,
  ),
  'call.mute': Type.Object({ muted: Type.Boolean({ default: true }) }, open),
  'call.hold': Type.Object({}, open),
  'call.unhold': Type.Object({}, open),
  'call.camera': Type.Object({ on: Type.Boolean({ default: true }) }, open),
} satisfies Record<string, TSchema>

type Schemas = typeof dataOf
type FrameName = keyof Schemas

/** A frame that is well-formed. */
export type AppFrame = { [K in FrameName]: { event: K; data: Static<Schemas[K]> } }[FrameName]

/** Why a frame is refused; its code and message are sent back. */
export class FrameError extends Error {
  constructor(
    readonly code: 'bad_frame' | 'too_large' | 'unknown_event' | 'bad_data',
    message: string,
  ) {
    super(message)
  }
}

const checks = new Map<string, Validator>(
  Object.entries(dataOf).map(([event, schema]) => [event, bodyValidator(schema)]),
)

/** @throws {FrameError} */
export function readFrame(text: string): AppFrame {
  if (text.length > maxFrameChars) {
    throw new FrameError('too_large', `a frame has at most ${maxFrameChars} characters`)
  }
  const { event, data = {} } = fieldsOf(text)
  if (typeof event !== 'string') throw new FrameError('bad_frame', 'event must be a string')
  const check = checks.get(event)
  if (!check) throw new FrameError('unknown_event', `event must be one of ${[...checks.keys()].join(', ')}`)
  const [problem] = validateAt(check, data, 'data')
  if (problem) throw new FrameError('bad_data', problem.messages[0] ?? 'data is invalid')
  return { event, data } as AppFrame
}

function fieldsOf(text: string): { event?: unknown; data?: unknown } {
  try {
    const frame: unknown = JSON.parse(text)
    if (typeof frame === 'object' && frame !== null) return frame
  } catch {
    // Reported below.
  }
  throw new FrameError('bad_frame', 'a frame is a JSON object: {"event": …, "data": …}')
}
