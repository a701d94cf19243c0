/** Parameters that several actions have. */
import Type from 'typebox'
import { Id, reference } from '../../http/shapes.js'

export const AudioId = reference('audio', Id())

/** Seconds that somebody is rung. */
export const RingTimeout = Type.Integer({ minimum: 1, maximum: 300, description: 'Seconds; 30 by default' })
