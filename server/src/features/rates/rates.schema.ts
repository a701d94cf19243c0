import Type, { type Static } from 'typebox'
import { maxPageSize } from '../../infrastructure/http/lists.js'
import { Timestamp, Title, nullable, patterned } from '../../infrastructure/http/shapes.js'
import { rateKinds } from './deck-rate.entity.js'

const is_default = (options: object) =>
  Type.Boolean({
    description: 'Whether it holds for all workspaces where their own deck has no rate; one deck is, at most',
    ...options,
  })

export const RateDeckShape = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    is_default: is_default({}),
    rates: Type.Integer({ description: 'How many rates it has' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'RateDeck' },
)

export const CreateRateDeck = Type.Object({ title: Title(1, 64), is_default: is_default({ default: false }) })
export type CreateRateDeck = Static<typeof CreateRateDeck>

export const UpdateRateDeck = Type.Partial(Type.Object({ title: Title(1, 64), is_default: is_default({}) }))
export type UpdateRateDeck = Static<typeof UpdateRateDeck>

const kind = Type.Enum([...rateKinds], {
  description: 'inbound_call: of calls that come in, by the prefix of the number that is called',
})

export const RateShape = Type.Object(
  {
    rate_deck_id: Type.String(),
    kind,
    prefix: Type.String({ description: 'Digits that numbers begin with; empty for all numbers' }),
    destination: Type.String({ description: 'What people call it' }),
    price: Type.Number({ description: 'USD a minute, of messages a segment' }),
    connection_fee: Type.Number({ description: 'USD for each call that is answered' }),
    minimum_seconds: Type.Integer({ description: 'Charged of each call that is answered, at least' }),
    increment_seconds: Type.Integer({ description: 'Steps in which the seconds beyond are charged' }),
    is_blocked: Type.Boolean({ description: 'Whether its numbers may not be called, or written to' }),
    valid_from: nullable(Timestamp),
  },
  { title: 'Rate' },
)

const digits = (description: string) => patterned('^[0-9]{1,15}$', 'digits, 15 at most', { description })

export const RateQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 10_000, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: maxPageSize, default: 20 }),
  kind: Type.Optional(Type.Enum([...rateKinds])),
  prefix: Type.Optional(digits('Only rates whose prefix begins with it')),
  number: Type.Optional(
    digits('Only rates of prefixes that this number begins with; E.164 without the plus sign'),
  ),
})
export type RateQuery = Static<typeof RateQuery>

export const LookupQuery = Type.Object({
  kind: Type.Enum([...rateKinds], { default: 'outbound_call' }),
})

export const FoundRateShape = Type.Object(
  { rate: nullable(RateShape) },
  { title: 'FoundRate', description: 'null: no rate, so that the fee of the number of ours holds' },
)
