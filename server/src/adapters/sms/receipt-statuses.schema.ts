import Type from 'typebox'
import { type ReceiptState, receiptStates } from './link.js'
import { printable } from '../../infrastructure/http/shapes.js'

/** The words of a carrier's receipts, and what they mean. */
export function receiptStatuses(options: { default: Record<string, ReceiptState>; description: string }) {
  return Type.Unsafe<Record<string, ReceiptState>>({
    type: 'object',
    propertyNames: { type: 'string', minLength: 1, maxLength: 64, pattern: printable, 'x-rule': 'printable' },
    additionalProperties: { type: 'string', enum: [...receiptStates] },
    maxProperties: 100,
    ...options,
  })
}
