/** The codecs that a gateway's carrier is offered. */
import Type from 'typebox'
import { invalidField } from '../../infrastructure/http/errors.js'
import { nullable } from '../../infrastructure/http/shapes.js'
import { type CarrierCodec, carrierCodecs } from '../../adapters/freeswitch/switchboard.js'

export const GatewayCodecs = nullable(
  Type.Array(Type.Enum([...carrierCodecs]), {
    ...{ minItems: 1, maxItems: carrierCodecs.length, uniqueItems: true },
    description:
      'What the carrier is offered, best first; null: PCMU, PCMA. G722 is left out where the switch does not have it, so that PCMU or PCMA must be among them',
  }),
)

/** Every switch speaks PCMU and PCMA, so that an offer never is empty. @throws 400 */
export function checkCodecs({ codecs }: { codecs: readonly CarrierCodec[] | null }): void {
  if (codecs && !codecs.some((codec) => codec !== 'G722'))
    throw invalidField('codecs', 'codecs must hold PCMU or PCMA: not every switch has G722')
}
