import Type from 'typebox'
import { hangupCauses } from '../../../../adapters/freeswitch/hangup-causes.js'
import { action } from './action.js'

const params = Type.Object({
  cause: Type.Optional(
    Type.Enum([...hangupCauses], {
      description: 'NORMAL_CLEARING by default',
      'x-field': { default: 'NORMAL_CLEARING' },
    }),
  ),
})

const named = (name: string) =>
  action({
    name,
    summary: 'Ends the call',
    params,
    run: async (context, { cause }) => context.hangUp(cause ?? 'NORMAL_CLEARING'),
  })

/** Ends the call. `disconnect` and `hangup` are one action of two names (contract, Call actions). */
export const disconnect = named('disconnect')
export const hangup = named('hangup')
