import Type from 'typebox'
import { type Refusals, refusalMeanings } from './link.js'
import { printable } from '../../infrastructure/http/shapes.js'

/** The codes by which a carrier refuses messages, and what they mean. */
export function refusalCodes(options: { default: Refusals; description: string }) {
  return Type.Unsafe<Refusals>({
    type: 'object',
    propertyNames: { type: 'string', minLength: 1, maxLength: 64, pattern: printable, 'x-rule': 'printable' },
    additionalProperties: { type: 'string', enum: [...refusalMeanings] },
    maxProperties: 100,
    ...options,
  })
}
