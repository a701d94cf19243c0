import Type from 'typebox'
import { Timestamp } from '../../infrastructure/http/shapes.js'

export const CellName = Type.String({
  pattern: '^[a-z0-9-]{1,32}$',
  description: 'The JACKFIELD_CELL of its servers',
})

export const CellShape = Type.Object(
  {
    name: Type.String(),
    is_up: Type.Boolean({
      description: 'A server was heard of in the last seconds, and is linked to its switch',
    }),
    is_draining: Type.Boolean({ description: 'No new call begins there' }),
    switch_address: Type.String({ description: 'Where Kamailio reaches its switch' }),
    beat_at: Timestamp,
    live_calls: Type.Integer({ description: 'Calls that still live there' }),
  },
  { title: 'Cell' },
)

export const CellsShape = Type.Object({ data: Type.Array(CellShape) })
