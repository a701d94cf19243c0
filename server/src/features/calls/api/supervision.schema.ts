/** Supervision in the API (contract, Supervision and transfer). */
import Type from 'typebox'

export const SupervisionStartedShape = Type.Object(
  {
    call_id: Type.String(),
    mode: Type.Enum(['listen', 'whisper', 'barge']),
    supervisor: Type.String({ description: 'Username' }),
    status: Type.Literal('supervision_started'),
    call_token: Type.String({ description: 'For the call’s WebSocket' }),
    expires_in: Type.Integer({ description: 'Seconds' }),
  },
  { title: 'SupervisionStarted' },
)

export const SupervisionStoppedShape = Type.Object(
  {
    call_id: Type.String(),
    supervisor: Type.String({ description: 'Username' }),
    status: Type.Literal('supervision_stopped'),
  },
  { title: 'SupervisionStopped' },
)

export const SupervisionQuery = Type.Object({
  device: Type.Optional(
    Type.Enum(['app', 'softphone'], {
      description:
        '`app` connects with the call_token, `softphone` is rung; by default the app if the supervisor has one, or has no softphone',
    }),
  ),
})
