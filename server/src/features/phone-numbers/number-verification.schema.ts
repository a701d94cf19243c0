import Type, { type Static } from 'typebox'
import { Timestamp, patterned } from '../../infrastructure/http/shapes.js'
import { verificationChannels } from './number-verification.entity.js'

const channel = Type.Enum([...verificationChannels])

export const StartVerification = Type.Object({
  channel: Type.Enum([...verificationChannels], {
    description: 'call: a voice says the code to who answers; text: an SMS has it',
  }),
})
export type StartVerification = Static<typeof StartVerification>

export const CheckVerification = Type.Object({ code: patterned('^[0-9]{6}$', 'the 6 digits of the code') })

export const NumberVerificationShape = Type.Object(
  {
    phone_number_id: Type.String(),
    channel,
    attempts_left: Type.Integer({ description: 'Wrong codes after which another code must be asked for' }),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'NumberVerification' },
)
