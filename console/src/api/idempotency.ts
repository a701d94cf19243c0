import { randomHex } from './random-hex'

/** An `Idempotency-Key`. */
export const newKey = randomHex
